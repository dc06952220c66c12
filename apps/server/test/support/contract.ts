import { contractOf } from '@petstore-platform/testkit/contract';
import { document } from '../../src/generated/document.ts';

/** The completed contract, to validate responses against. */
export const contract = contractOf(document);

export const { checkedFetch } = contract;
