import { expect, onTestFinished, test, vi } from 'vitest';
import { type DeprecationNotice, PetstoreError } from '../src/index.ts';
import { clientOf, errorResponse, pet } from './helpers.ts';

const headers = {
  Deprecation: '@1795132800',
  Sunset: 'Thu, 05 Dec 2030 00:00:00 GMT',
  Link: '</v1/pets?status=available>; rel="successor-version"',
};

test('onDeprecation is called once per operation and client, also for a failure', async () => {
  const notices: DeprecationNotice[] = [];
  const { petstore } = clientOf(
    (request, attempt) =>
      attempt === 1
        ? errorResponse(404, headers, 'not_found')
        : Response.json(request.url.endsWith('/pets') ? [pet] : pet, { headers: { Sunset: headers.Sunset } }),
    { onDeprecation: (notice) => notices.push(notice) },
  );

  await expect(petstore.getPet({ petId: 1 })).rejects.toBeInstanceOf(PetstoreError);
  await petstore.getPet({ petId: 1 });
  await petstore.listPets();

  expect(notices).toEqual([
    {
      operation: 'getPet',
      since: new Date('2026-11-20T00:00:00Z'),
      sunset: new Date('2030-12-05T00:00:00Z'),
      replacement: 'https://api.petstore.example/v1/pets?status=available',
    },
    { operation: 'listPets', since: undefined, sunset: new Date('2030-12-05T00:00:00Z'), replacement: undefined },
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
    const { petstore } = clientOf(
      (_, attempt) => (attempt === 1 ? errorResponse(500) : Response.json([], { headers })),
      {
        onDeprecation: observer,
        onRetry: observer,
      },
    );
    expect(await petstore.listPets()).toEqual([]);
  }
  // Node.js reports rejections after the microtasks.
  await new Promise(setImmediate);
  expect(unhandled).not.toHaveBeenCalled();
});

test('invalid headers are omitted, and without valid ones there is no notice', async () => {
  const notices: DeprecationNotice[] = [];
  const { petstore } = clientOf(
    (_, attempt) => Response.json([], { headers: attempt === 1 ? {} : { Deprecation: 'true', Sunset: 'soon' } }),
    { onDeprecation: (notice) => notices.push(notice) },
  );
  await petstore.listPets();
  expect(notices).toEqual([]);
  await petstore.listPets();
  expect(notices).toEqual([{ operation: 'listPets', since: undefined, sunset: undefined, replacement: undefined }]);
});
