import { fileURLToPath } from 'node:url';
import { contractOf } from '@petstore-platform/testkit/contract';
import type { Collection } from '@petstore-platform/testkit/http-cases';
import { commandLineOf } from '@petstore-platform/testkit/server';
// oxlint-disable-next-line no-restricted-imports -- the completed contract, which is data
import { document } from '../../server/src/generated/document.ts';
// oxlint-disable-next-line no-restricted-imports -- requests, which are data
import { examples } from '../../server/src/generated/examples.ts';
// oxlint-disable-next-line no-restricted-imports -- the operations, which are data
import { operations } from '../../server/src/generated/routes.ts';

/** The contract against which responses are validated. */
export const contract = contractOf(document);

/** The changes that the contract makes repeatable (`Idempotency-Key`), with its examples. */
export const changes = Object.values(operations).flatMap(({ id, path, parameters }) => {
  const example = parameters.some(({ name }) => name === 'Idempotency-Key') && examples[id];
  return example ? [{ id, path, ...example }] : [];
});

/** The number of its operations. */
export const OPERATIONS = Object.keys(operations).length;

export type CommandLine = ReturnType<typeof commandLineOf>;

/** The built service under test. */
export const petstore = commandLineOf({ script: fileURLToPath(import.meta.resolve('@petstore/server/bin')) });

/** The second service, which has an operation that is a transaction. */
export const bookstore = commandLineOf({ script: fileURLToPath(import.meta.resolve('@repo/bookstore/main')) });

/** The requests from which cases of HTTP are made. */
export const pets: Collection = {
  path: '/v1/pets',
  fields: { text: 'name', integer: 'categoryId' },
  filter: 'status',
  clientHeader: 'X-Petstore-Client',
};
