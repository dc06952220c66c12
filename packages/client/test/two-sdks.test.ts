/** An app with the SDKs of two services. */
import * as bookstore from '@repo/bookstore';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import * as petstore from '../src/generated/index.ts';

const BOTH = ['@repo/bookstore', '../src/generated/index.ts'];

/** Bundles modules, minified. */
async function bundle(modules: string[]): Promise<string> {
  const contents = modules.map((file, index) => `export * as sdk${index} from '${file}';`).join('\n');
  const stdin = { contents, resolveDir: import.meta.dirname };
  const { outputFiles } = await build({ stdin, bundle: true, minify: true, write: false, format: 'esm' });
  return outputFiles[0]?.text ?? '';
}

const fetch = async () => Response.json({ code: 'not_found', message: 'no', status: 404 }, { status: 404 });

test('each has its own errors', async () => {
  const [pets, books] = [petstore, bookstore].map(({ createClient }) => createClient({ apiKey: 'a', fetch }));
  const calls = [pets?.request('GET', '/pets'), books?.request('GET', '/books')];
  const errors = await Promise.all(calls.map((call) => call?.catch((error: unknown) => error)));
  expect(errors.map((error) => error instanceof petstore.PetstoreError)).toEqual([true, false]);
  expect(errors.map((error) => petstore.isPetstoreError(error))).toEqual([true, false]);
  expect(errors.map((error) => bookstore.isBookstoreError(error))).toEqual([false, true]);
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
