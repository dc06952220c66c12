import { STORE } from '@repo/bookstore/stores';

/** The fields of requests that write stores, the columns of their responses, and the headers of these. */
export const NEW_STORE = { name: true, city: true, capacity: true } as const;
export const CHANGES = { name: true, capacity: true, state: true } as const;
export const WITH_ETAG = [...STORE, 'name as etag'] as const;
export const headers = { ETag: 'etag' } as const;
