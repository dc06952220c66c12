// Generated from examples/realworld/conduit.yaml by `pnpm contract:generate`. Do not edit.

/** Requests per UTC minute and per UTC day. `null`: the number is stored with the key. */
export const plans = {
  "free": {
    "perMinute": 600,
    "perDay": 100000
  }
} as const;

export type Plan = keyof typeof plans;
