import { buildClient } from '../src/client.ts';
import { operations } from '../src/generated/table.ts';
import { type ClientOptions, type ServiceClient, ServiceError } from '../src/index.ts';
import type { Operations as FixtureOperations } from './fixture/generated/operations.ts';
import { operations as fixtureOperations } from './fixture/generated/table.ts';
import type { Respond } from './responses.ts';
import { VirtualTime } from './virtual-time.ts';

export const apiKey = 'books_0123456789abcdef';
export const settled = () => new Promise(setImmediate);

/** The methods without their types, as in JavaScript. */
export const untyped = (client: object) => client as Record<string, (...args: unknown[]) => Promise<unknown>>;

/** A client with `respond` as its fetch and without real waits, and the requests that it sent. */
export function clientOf(respond: Respond, options?: ClientOptions) {
  const { client, ...rest } = build(operations, respond, options);
  return { api: client as ServiceClient, ...rest };
}

/** The same for the contract of the fixture, with features that the bookstore's does not use. */
export function fixtureClientOf(respond: Respond, options?: ClientOptions) {
  const { client, ...rest } = build(fixtureOperations, respond, options);
  return { fixture: client as unknown as FixtureOperations, ...rest };
}

function build(table: Parameters<typeof buildClient>[0], respond: Respond, options?: ClientOptions) {
  const requests: Request[] = [];
  const time = VirtualTime.start();
  const fetch: NonNullable<ClientOptions['fetch']> = async (url, init) => {
    const request = new Request(url, init);
    requests.push(request);
    return respond(request, requests.length);
  };
  const client: unknown = buildClient(table, { apiKey, fetch, ...options });
  return { client, requests, time };
}

/** The rejection of a call, a ServiceError. */
export async function failureOf(call: Promise<unknown>): Promise<ServiceError> {
  const error = await rejectionOf(call);
  if (error instanceof ServiceError) return error;
  throw error;
}

/** The rejection of a call. */
export function rejectionOf(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => new Error('the call resolved'),
    (error: unknown) => error,
  );
}
