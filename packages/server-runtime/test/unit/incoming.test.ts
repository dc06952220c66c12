import { PassThrough, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { expect, test } from 'vitest';
import { incoming } from '../../src/http/incoming.ts';

test('a body whose reader ends early waits for no further byte, and its rest is dropped', async () => {
  const source = new PassThrough();
  const stream = incoming(source, 1_000);
  const stopping = new AbortController();
  const target = new Writable({
    write(_chunk, _encoding, done) {
      done();
      stopping.abort();
    },
  });
  source.write('begun');
  await expect(pipeline(stream, target, { signal: stopping.signal })).rejects.toThrow('aborted');
  source.end('the rest');
  await expect.poll(() => source.readableEnded).toBe(true);
});
