import type { Operations } from './generated/operations.ts';
import { environments, operations } from './generated/table.ts';
import { buildClient } from './internal/build-client.ts';
import { readSettings } from './internal/settings.ts';
import { system } from './internal/system.ts';
import type { ClientOptions } from './options.ts';

/** A client of the Petstore API: one method per operation of the contract. */
export interface PetstoreClient extends Operations {}

/**
 * Creates a client. It holds no connection and needs no closing.
 *
 * Methods take the parameters in one object, then the body, then the options of the call. They send at once and never
 * throw synchronously: a call resolves to the body that the contract promises, or rejects with
 *
 * - a {@link PetstoreError} when the service or the network failed, after the retries that are safe,
 * - a `TypeError` when an argument cannot be sent (nothing was sent),
 * - the reason of the caller's `signal` when that aborted the call.
 *
 * @throws TypeError if an option is invalid
 *
 * @example
 * const petstore = createClient({ apiKey: 'YOUR_API_KEY' });
 * const pets = await petstore.listPets({ status: 'available' });
 */
export function createClient(options: ClientOptions): PetstoreClient {
  return buildClient(operations, readSettings(options, environments), system) as unknown as PetstoreClient;
}
