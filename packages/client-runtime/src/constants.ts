// A bundler writes these in place of their names, as this file imports nothing.

/** The longest first wait, in milliseconds. Each further wait may be twice as long, up to `LONGEST_WAIT`. */
export const FIRST_WAIT = 500;
export const LONGEST_WAIT = 8_000;
/**
 * A wait in milliseconds that outlasts a restart of the service. The second retry waits for it. Once a few calls have failed, the
 * first retry does, too, so that the retry budget lasts for all calls.
 */
export const RESTART = 6_000;
export const FEW = 50;
/** What a retry takes of the budget, as in the standard mode of AWS SDKs. A service that is down then gets few retries. */
export const COST = 5;
export const COST_AFTER_TIMEOUT = 10;
/** The retry budget, which all calls of a client share. Each success adds 1. */
export const RETRY_BUDGET = 500;
/** Milliseconds over which waiting requests are spread once the gate opens. */
export const SPREAD = 1_000;
/** The length of a window, in milliseconds. Limits are per minute or per day, and no call waits for the next day. */
export const WINDOW = 60_000;
/** The longest window, in milliseconds. */
export const DAY = 86_400_000;
/** Milliseconds between the requests that a closed gate lets through. The service forgives one that is refused. */
export const PROBE = 90_000;
/** The most requests at a time before the first response, which tells how many are left. */
export const FIRST = 10;
/**
 * The longest body, in characters: far more than any response of the API has. A longer one may be an attack, such as gigabytes
 * in a small gzip body.
 */
export const LARGEST_BODY = 10_000_000;
/** The longest delay of a timer, in milliseconds. A timer with a longer delay fires at once (HTML standard, timers). */
export const LONGEST_TIMER = 2 ** 31 - 1;
