// Generated from packages/bookstore/bookstore.yaml by `pnpm contract:generate`. Do not edit.

/** Requests per UTC minute and per UTC day. `null`: the number is stored with the key. */
export const plans = {
  "free": {
    "perMinute": 60,
    "perDay": 1000
  },
  "pro": {
    "perMinute": 300,
    "perDay": 10000
  },
  "business": {
    "perMinute": 1000,
    "perDay": 100000
  },
  "enterprise": {
    "perMinute": null,
    "perDay": null
  }
} as const;

export type Plan = keyof typeof plans;
