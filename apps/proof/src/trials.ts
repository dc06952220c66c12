import type { Case } from '@petstore/testkit/attempt';
import fc from 'fast-check';

/**
 * A valid request with some bytes replaced, doubled or left out. Its side is closed, so that the server need not wait for what
 * is missing; but not at once, which Node.js takes for a client that is gone, and answers nothing.
 */
export function mutated(cases: Case[]): fc.Arbitrary<Case> {
  const change = fc.record({
    // Most changes go to the head of the request.
    place: fc.oneof(fc.double({ min: 0, max: 0.1, noNaN: true }), fc.double({ min: 0, max: 1, noNaN: true })),
    kind: fc.constantFrom('replace', 'remove', 'double'),
    byte: fc.nat(255),
  });
  const valid = cases.filter(({ answers }) => answers?.every((status) => status < 300));
  return fc
    .tuple(fc.constantFrom(...valid), fc.array(change, { minLength: 1, maxLength: 5 }))
    .map(([source, changes]) => {
      let bytes = Buffer.from(source.bytes);
      for (const { place, kind, byte } of changes) {
        const at = Math.floor(place * bytes.length);
        const middle = { replace: [byte], remove: [], double: [bytes[at] ?? byte, bytes[at] ?? byte] }[kind];
        bytes = Buffer.concat([bytes.subarray(0, at), Buffer.from(middle ?? []), bytes.subarray(at + 1)]);
      }
      const name = `${source.name}, changed: ${JSON.stringify(bytes.toString('latin1').slice(0, 300))}`;
      return { name, bytes, afterwards: 'half-close later' };
    });
}

/** Each case, broken off at once, in the middle, after the last byte, and once the server has had time to answer. */
export function resets(cases: Case[]): Case[] {
  const points = [
    [0, 0],
    [0.5, 0],
    [1, 0],
    [1, 20],
  ] as const;
  return cases.flatMap((source) => points.map(([share, pause]) => brokenOff(source, share, pause)));
}

/** A case broken off at any byte, and in one of ten instead a request that has to be answered. */
export function randomResets(cases: Case[]): fc.Arbitrary<Case> {
  const answered = cases.filter(({ answers }) => answers?.every((status) => status < 300));
  const broken = fc
    .tuple(fc.constantFrom(...cases), fc.double({ min: 0, max: 1, noNaN: true }), fc.constantFrom(0, 0, 1, 5, 20))
    .map(([source, share, pause]) => brokenOff(source, share, pause));
  return fc.oneof({ weight: 9, arbitrary: broken }, { weight: 1, arbitrary: fc.constantFrom<Case>(...answered) });
}

function brokenOff(source: Case, share: number, pause: number): Case {
  const after = Math.round(share * Buffer.byteLength(source.bytes));
  return { ...source, name: `${source.name}, reset after ${after} bytes and ${pause} ms`, reset: { after, pause } };
}
