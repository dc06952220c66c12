import { sdk } from '@repo/bookstore/client/generated/sdk';
import { expect, test, vi } from 'vitest';
import { filesOf } from '../src/files.ts';
import { clientWith, rejectionOf, untyped } from './helpers.ts';

const form = { method: 'POST', path: '/forms', body: 'required' } as const;
const operations = {
  sendForm: { ...form, type: 'multipart/form-data' },
  sendPairs: { ...form, type: 'application/x-www-form-urlencoded' },
  sendBytes: { ...form, type: 'application/octet-stream' },
};

/** A client without types, as in JavaScript, whose client-wide headers would spoil a form, and the requests that it sent. */
function formsClient() {
  const headers = { 'Content-Type': 'application/json' };
  const respond = () => new Response(null, { status: 204 });
  const { client, requests } = clientWith({ ...sdk, operations, formatOf: filesOf }, respond, { headers });
  // A Blob is read beside the event loop: the clock must not jump to the timeout meanwhile.
  vi.setTimerTickMode('manual');
  return { forms: untyped(client as object), requests };
}

test('a form is sent as its fields or as a FormData, with the boundary of fetch', async () => {
  const { forms, requests } = formsClient();
  const native = new FormData();
  native.append('photo', new Blob(['bytes']), 'a.png');
  await forms.sendForm?.(native);
  await forms.sendForm?.({ photo: new Blob(['bytes']), tags: ['a', 'b'], size: { width: 1 }, none: undefined });
  const [first, second] = await Promise.all(requests.map((request) => request.formData()));
  expect([...(first as FormData).entries()]).toEqual([['photo', expect.objectContaining({ name: 'a.png', size: 5 })]]);
  const fields = [
    ['photo', expect.any(File)],
    ['tags', 'a'],
    ['tags', 'b'],
    ['size', '{"width":1}'],
  ];
  expect([...(second as FormData).entries()]).toEqual(fields);
});

test('a url-encoded form is sent as its fields or as URLSearchParams', async () => {
  const { forms, requests } = formsClient();
  await forms.sendPairs?.({ tags: ['a & b', 'c'], count: 2 });
  await forms.sendPairs?.(new URLSearchParams({ count: '2' }));
  const type = 'application/x-www-form-urlencoded';
  for (const { headers } of requests) expect(headers.get('Content-Type')).toBe(type);
  const texts = await Promise.all(requests.map((request) => request.text()));
  expect(texts).toEqual(['tags=a+%26+b&tags=c&count=2', 'count=2']);
});

const asObject = 'the body of a form is an object with its fields';
const asBlob = 'photo: give a file as a Blob, such as new Blob([bytes])';
test.each<[method: string, body: unknown, message: string, options?: object]>([
  ['sendForm', new Map([['name', 'a']]), asObject],
  ['sendForm', 'name=a', asObject],
  ['sendForm', [1], asObject],
  ['sendPairs', new FormData(), asObject],
  ['sendForm', { photo: Buffer.from('bytes') }, asBlob],
  ['sendForm', { photo: [new Uint8Array(1)] }, asBlob],
  ['sendForm', { photo: new ReadableStream() }, asBlob],
  ['sendPairs', { photo: new Blob(['bytes']) }, asBlob],
  ['sendBytes', Buffer.from('bytes'), 'the body is a text, a Blob or a stream'],
  ['sendForm', {}, 'the Content-Type of a form', { headers: { 'content-type': 'multipart/form-data' } }],
  ['sendPairs', {}, 'the Content-Type of a form', { headers: { 'Content-Type': 'text/plain' } }],
])('%s of %o is refused before it is sent as something else', async (method, body, message, options = {}) => {
  const { forms, requests } = formsClient();
  const refusal = await rejectionOf(forms[method]?.(body, options) as Promise<unknown>);
  expect(refusal).toBeInstanceOf(TypeError);
  expect(String(refusal)).toContain(message);
  expect(requests).toEqual([]);
});
