import { sql } from 'kysely';

/** The fleet's time in SQL. */
export const SERVICE_TIME = 'service_now()';

/** The same as Unix time in milliseconds. */
export const NOW = sql<number>`floor(extract(epoch from service_now()) * 1000)::bigint`;
