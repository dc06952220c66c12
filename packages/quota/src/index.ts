export { table } from './add-counts.ts';
export { type ClockOptions, DAY, DatabaseClock, MINUTE } from './clock.ts';
export { Limiter, type LimiterOptions } from './limiter.ts';
export { type QuotaOptions, quota, quota as default } from './plugin.ts';
export { headersOf, QuotaError, refusalOf } from './response.ts';
export { type Decision, MAX_LIMIT, type Quota } from './usage.ts';
