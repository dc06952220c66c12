import { contractOf } from '@petstore-platform/testkit/contract';
import { document } from '../bookstore/generated/document.ts';

/** The completed contract, to validate responses against. */
export const contract = contractOf(document);

export const { checkedFetch, operations } = contract;
