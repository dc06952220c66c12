import { type Case, withReset } from '@petstore-platform/testkit/raw-cases';
import fc from 'fast-check';

/**
 * Valid requests with some bytes replaced, doubled or removed. The client half-closes, so that the server does not wait for
 * missing bytes, but not at once: Node.js would treat the client as gone and send no response.
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

/** Cases reset at a random byte; one in ten is a complete request that must be answered. */
export function randomResets(cases: Case[]): fc.Arbitrary<Case> {
  const answered = cases.filter(({ answers }) => answers?.every((status) => status < 300));
  const broken = fc
    .tuple(fc.constantFrom(...cases), fc.double({ min: 0, max: 1, noNaN: true }), fc.constantFrom(0, 0, 1, 5, 20))
    .map(([source, share, pause]) => withReset(source, share, pause));
  return fc.oneof({ weight: 9, arbitrary: broken }, { weight: 1, arbitrary: fc.constantFrom<Case>(...answered) });
}
