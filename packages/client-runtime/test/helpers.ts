import { type BookstoreClient, BookstoreError, type ClientOptions } from '@repo/bookstore';
import { sdk } from '@repo/bookstore/client/generated/sdk';
import { buildClient } from '../src/client.ts';
import type { Sdk } from '../src/sdk.ts';
import type { Operations as FixtureOperations } from './fixture/generated/operations.ts';
import { sdk as fixtureSdk } from './fixture/generated/sdk.ts';
import type { Respond } from './responses.ts';
import { virtualTime } from './virtual-time.ts';

export const apiKey = 'books_0123456789abcdef';
export const settled = () => new Promise(setImmediate);

/** The methods without their types, as in JavaScript. */
export const untyped = (client: object) => client as Record<string, (...args: unknown[]) => Promise<unknown>>;

/** A client with `respond` as its fetch and without real waits, and the requests that it sent. */
export function clientOf(respond: Respond, options?: ClientOptions) {
  const { client, ...rest } = clientWith(sdk, respond, options);
  return { api: client as BookstoreClient, ...rest };
}

/** The same for the contract of the fixture, with features that the bookstore's does not use. */
export function fixtureClientOf(respond: Respond, options?: ClientOptions) {
  const { client, ...rest } = clientWith(fixtureSdk, respond, options);
  return { fixture: client as unknown as FixtureOperations, ...rest };
}

/** The same for any SDK. */
export function clientWith(sdk: Sdk, respond: Respond, options?: object) {
  const requests: Request[] = [];
  const time = virtualTime();
  const fetch: NonNullable<ClientOptions['fetch']> = async (url, init) => {
    const request = new Request(url, init);
    requests.push(request);
    return respond(request, requests.length);
  };
  const client: unknown = buildClient(sdk, { apiKey, fetch, ...options });
  return { client, requests, time };
}

/** The rejection of a call, a BookstoreError. */
export async function failureOf(call: Promise<unknown>): Promise<BookstoreError> {
  const error = await rejectionOf(call);
  if (error instanceof BookstoreError) return error;
  throw error;
}

/** The rejection of a call. */
export function rejectionOf(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => new Error('the call resolved'),
    (error: unknown) => error,
  );
}
