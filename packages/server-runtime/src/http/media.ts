import type { Media } from '../contract.ts';

const JSON_MEDIA = 'application/json';

/** The media of a body for which the contract's table names none. */
export const JSON_BODY: Media = { type: JSON_MEDIA, kind: 'json' };

/** Headers of a response that is not JSON: a browser that shows it runs nothing in it. */
export const PASSIVE = { 'Content-Security-Policy': "default-src 'none'; sandbox" };
