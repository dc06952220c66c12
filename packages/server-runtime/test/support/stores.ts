import { STORE } from '@repo/bookstore/stores';

/** Parts of writes of a store: the fields of a request, what is returned, and its headers. */
export const NEW_STORE = { name: true, city: true, capacity: true } as const;
export const CHANGES = { name: true, capacity: true, state: true } as const;
export const WITH_ETAG = [...STORE, 'name as etag'] as const;
export const headers = { ETag: 'etag' } as const;
