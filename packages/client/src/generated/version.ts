// Generated from packages/client-runtime by `pnpm contract:generate`. Do not edit.

/** The version in package.json. */
export const version = '0.0.0';
