import { fileURLToPath } from 'node:url';
import { contractOf } from '@petstore-platform/testkit/contract';
import type { Collection } from '@petstore-platform/testkit/http-requests';
import { commandLineOf, type Program } from '@petstore-platform/testkit/server';
// oxlint-disable-next-line no-restricted-imports -- the completed contract, which is data
import { document } from '../../server/src/generated/document.ts';

/** The contract against which responses are validated. */
export const contract = contractOf(document);

/** The built service under test. */
const program: Program = { script: fileURLToPath(import.meta.resolve('@petstore/server/bin')) };

export type CommandLine = ReturnType<typeof commandLineOf>;

export const petstore = commandLineOf(program);

export const { createKey, serve } = petstore;

/** The second service, which has an operation that is a transaction. */
export const bookstore = commandLineOf({
  script: fileURLToPath(import.meta.resolve('@repo/bookstore/main')),
});

/** The requests from which cases of HTTP are made. */
export const pets: Collection = {
  path: '/v1/pets',
  fields: { text: 'name', integer: 'categoryId' },
  filter: 'status',
  clientHeader: 'X-Petstore-Client',
};
