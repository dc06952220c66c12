import { expect, onTestFinished, test, vi } from 'vitest';
import { type DeprecationNotice, ServiceError } from '../src/index.ts';
import { book, clientOf, errorResponse } from './helpers.ts';

const headers = {
  Deprecation: '@1795132800',
  Sunset: 'Thu, 05 Dec 2030 00:00:00 GMT',
  Link: '</v1/books?format=hardcover>; rel="successor-version"',
};

test('onDeprecation is called once per operation and client, also for a failure', async () => {
  const notices: DeprecationNotice[] = [];
  const { api } = clientOf(
    (request, attempt) =>
      attempt === 1
        ? errorResponse(404, headers, 'not_found')
        : Response.json(request.url.endsWith('/books') ? [book] : book, { headers: { Sunset: headers.Sunset } }),
    { onDeprecation: (notice) => notices.push(notice) },
  );

  await expect(api.getBook({ bookId: 1 })).rejects.toBeInstanceOf(ServiceError);
  await api.getBook({ bookId: 1 });
  await api.listBooks();

  expect(notices).toEqual([
    {
      operation: 'getBook',
      since: new Date('2026-11-20T00:00:00Z'),
      sunset: new Date('2030-12-05T00:00:00Z'),
      replacement: 'https://api.bookstore.example/v1/books?format=hardcover',
    },
    { operation: 'listBooks', since: undefined, sunset: new Date('2030-12-05T00:00:00Z'), replacement: undefined },
  ]);
});

test('exceptions and rejections of observers are ignored', async () => {
  const unhandled = vi.fn();
  process.on('unhandledRejection', unhandled);
  onTestFinished(() => void process.off('unhandledRejection', unhandled));
  const observers: (() => void)[] = [
    () => Promise.reject(new Error('bug')),
    () => {
      throw new Error('bug');
    },
  ];
  for (const observer of observers) {
    const { api } = clientOf((_, attempt) => (attempt === 1 ? errorResponse(500) : Response.json([], { headers })), {
      onDeprecation: observer,
      onRetry: observer,
    });
    expect(await api.listBooks()).toEqual([]);
  }
  // Node.js reports rejections after the microtasks.
  await new Promise(setImmediate);
  expect(unhandled).not.toHaveBeenCalled();
});

test('invalid headers are omitted, and without valid ones there is no notice', async () => {
  const notices: DeprecationNotice[] = [];
  const { api } = clientOf(
    (_, attempt) => Response.json([], { headers: attempt === 1 ? {} : { Deprecation: 'true', Sunset: 'soon' } }),
    { onDeprecation: (notice) => notices.push(notice) },
  );
  await api.listBooks();
  expect(notices).toEqual([]);
  await api.listBooks();
  expect(notices).toEqual([{ operation: 'listBooks', since: undefined, sunset: undefined, replacement: undefined }]);
});
