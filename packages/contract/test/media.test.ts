import { expect, test } from 'vitest';
import { kindOf } from '../src/media.ts';
import { ROOT } from './workspace.ts';

test.each([
  'application/json',
  'application/vnd.shop+json',
  'text/json',
  'application/x-json',
  'text/csv',
  'application/xml',
  'application/atom+xml',
  'image/svg+xml',
  'application/x-www-form-urlencoded',
  'application/pdf',
])('the server reads and writes %s as the generators say', async (type) => {
  const { FORM, isJson, isText } = await import(`${ROOT}/packages/server-runtime/src/http/media.ts`);
  const kind = isJson(type) ? 'json' : type === FORM ? 'form' : isText(type) ? 'text' : 'bytes';
  expect(kind).toBe(kindOf(type));
});
