// Generated from examples/realworld/conduit.yaml by `pnpm contract:generate`. Do not edit.

/** The calls of deprecated operations, by method. */
export interface Deprecated {

}
