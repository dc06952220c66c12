// Generated from migrations.ts by `{{tables}}`. Do not edit.

/** The tables, as the migrations leave them. */
export interface GeneratedTables {
}

/** The types of the columns in Postgres. */
export const columns = {
} as const;
