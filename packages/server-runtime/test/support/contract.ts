import { contractOf } from '@petstore-platform/testkit/contract';
import { document } from '@repo/bookstore/generated/document';

/** The completed contract, to validate responses against. */
export const contract = contractOf(document);

export const { checkedFetch } = contract;
