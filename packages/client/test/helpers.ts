import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { type ClientOptions, createClient, PetstoreError } from '../src/index.ts';

export const apiKey = 'pets_0123456789abcdef';

/** A client whose requests end at `respond`, and the requests it made. */
export function clientOf(
  respond: (request: Request) => Response | Promise<Response>,
  options?: Partial<ClientOptions>,
) {
  const requests: Request[] = [];
  const fetch = async (request: Request) => {
    requests.push(request);
    return respond(request);
  };
  return { petstore: createClient({ apiKey, fetch, ...options }), requests };
}

/** A client of a real server on a free port, closed when the test ends. */
export async function clientOfServer(listener: RequestListener) {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return createClient({ apiKey, baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1` });
}

/** The PetstoreError that a call rejects with. */
export async function failureOf(call: Promise<unknown>): Promise<PetstoreError> {
  const error = await call.then(
    () => new Error('the call resolved'),
    (error: unknown) => error,
  );
  if (error instanceof PetstoreError) return error;
  throw error;
}
