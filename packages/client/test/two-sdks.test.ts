/** An app with the SDKs of two services. */

import * as bookstore from '@repo/bookstore';
import { build } from 'esbuild';
import { expect, onTestFinished, test, vi } from 'vitest';
import * as petstore from '../src/generated/index.ts';

const BOTH = ['@repo/bookstore', '../src/generated/index.ts'];

/** Bundles modules, minified. */
async function bundle(modules: string[]): Promise<string> {
  const contents = modules.map((file, index) => `export * as sdk${index} from '${file}';`).join('\n');
  const stdin = { contents, resolveDir: import.meta.dirname };
  const { outputFiles } = await build({ stdin, bundle: true, minify: true, write: false, format: 'esm' });
  return outputFiles[0]?.text ?? '';
}

const headers: Headers[] = [];
const fetch: petstore.Fetch = async (_, init) => {
  headers.push(new Headers(init.headers));
  return Response.json({ code: 'not_found', message: 'no', status: 404 }, { status: 404 });
};

test('each has its own names', async () => {
  const errors = [
    await petstore
      .createClient({ apiKey: 'a', fetch })
      .listPets()
      .catch((error: unknown) => error),
    await bookstore
      .createClient({ apiKey: 'b', fetch })
      .listBooks()
      .catch((error: unknown) => error),
  ];
  const classes = [petstore.PetstoreError, bookstore.BookstoreError];
  expect(errors.map((error) => classes.map((each) => error instanceof each))).toEqual([
    [true, false],
    [false, true],
  ]);
  expect(errors.map((error) => [petstore.isPetstoreError(error), bookstore.isBookstoreError(error)])).toEqual([
    [true, false],
    [false, true],
  ]);
  expect(errors.map(String)).toEqual([
    'PetstoreError: listPets failed: 404 not_found: check the base URL, whose path is /v1 in the contract: no',
    'BookstoreError: listBooks failed: 404 not_found: check the base URL, whose path is /v1 in the contract: no',
  ]);
  const names = ['x-petstore-client', 'x-bookstore-client'];
  expect(headers.map((each) => names.map((name) => each.get(name)))).toEqual([
    [expect.stringMatching(/^js\/\d/), null],
    [null, expect.stringMatching(/^js\/\d/)],
  ]);
  onTestFinished(() => void vi.unstubAllEnvs());
  vi.stubEnv('BOOKSTORE_API_KEY', 'YOUR_API_KEY');
  vi.stubEnv('PETSTORE_API_KEY', '');
  expect(() => petstore.createClient()).toThrow('PETSTORE_API_KEY is not set');
  expect(bookstore.createClient()).toHaveProperty('listBooks');
});

test('an error of another copy of an SDK, with another copy of the runtime, is recognized', async () => {
  const code = await bundle(BOTH.slice(0, 1));
  const { sdk0: copy } = await import(`data:text/javascript,${encodeURIComponent(code)}`);
  const created = copy.createClient({ apiKey: 'b', fetch });
  const error: unknown = await created.getBook({ bookId: 1 }).catch((error: unknown) => error);
  expect(error).toBeInstanceOf(copy.BookstoreError);
  expect(error).not.toBeInstanceOf(bookstore.BookstoreError);
  expect(bookstore.isBookstoreError(error, 'getBook', 404)).toBe(true);
});

test('both share one runtime in a bundle', async () => {
  const [one, two] = await Promise.all([bundle(BOTH.slice(1)), bundle(BOTH)]);
  expect(two.length - one.length).toBeLessThan(one.length / 5);
});
