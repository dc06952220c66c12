import { sql } from 'kysely';

/** The fleet's time as Unix time in milliseconds. */
export const NOW = sql<number>`floor(extract(epoch from service_now()) * 1000)::bigint`;
