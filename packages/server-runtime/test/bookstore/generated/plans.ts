// Generated from packages/server-runtime/test/bookstore/bookstore.yaml by `pnpm contract:generate`. Do not edit.

/** Requests per UTC minute and per UTC day. `null`: the number is stored with the key. */
export const plans = {
  "reader": {
    "perMinute": 30,
    "perDay": 500
  },
  "publisher": {
    "perMinute": null,
    "perDay": null
  }
} as const;

export type Plan = keyof typeof plans;
