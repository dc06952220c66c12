/** The functions that a statement for the rows of one owner may use. */

/** Refuses a statement that cannot be limited to one owner. It is a bug of its handler: 500. */
export class Unscoped extends Error {}

const wordsOf = (text: string) => new Set(text.trim().split(/\s+/));

/** The words of SQL before a parenthesis that are no functions. */
export const KEYWORDS = wordsOf(`
  all and any array as between by case columns conflict cube distinct else escape except exclude exists fetch filter for from group having
  ilike in insert intersect into is join lateral like limit materialized not of offset on only or order over partition range returning rollup
  row rows select set sets similar some symmetric then to union using values when where window with within zone`);

/** Postgres' functions, and types, that see nothing but what they are given. */
const FUNCTIONS = wordsOf(`
  abs acos age any any_value array ascii asin atan atan2 avg bit bool_and bool_or box btrim cardinality casefold cast cbrt ceil
  ceiling char char_length character character_length chr circle clock_timestamp coalesce concat concat_ws convert_from convert_to corr cos
  cot count covar_pop covar_samp cume_dist current_timestamp daterange decimal decode degrees dense_rank div encode enum_first enum_last
  enum_range every exists exp extract factorial first_value float floor format gcd gen_random_uuid generate_series generate_subscripts get_byte
  greatest grouping hashtext hashtextextended host initcap int4range int8range interval isempty isfinite justify_days justify_hours
  justify_interval lag last_value lcm lead least left length ln log log10 lower lower_inc lower_inf lpad ltrim masklen max md5 min mod mode
  network normalize now nth_value ntile nullif num_nonnulls num_nulls numeric numnode numrange octet_length overlay percent_rank
  percentile_cont percentile_disc pg_advisory_xact_lock pg_column_size pg_try_advisory_xact_lock pg_typeof phraseto_tsquery pi
  plainto_tsquery point polygon position power quote_ident quote_literal quote_nullable radians random rank repeat replace reverse right
  round row row_number row_to_json rpad rtrim scale set_byte setweight sha224 sha256 sha384 sha512 sign sin some split_part sqrt
  starts_with statement_timestamp strip strpos substr substring stddev sum tan time timestamp timestamptz timezone to_char to_date to_hex
  to_json to_jsonb to_number to_timestamp to_tsquery to_tsvector transaction_timestamp translate trim trim_array trim_scale trunc ts_delete
  ts_filter ts_headline ts_rank ts_rank_cd tsrange tstzrange unnest upper upper_inc upper_inf varchar variance varying websearch_to_tsquery
  width_bucket`);
/** The families of such functions. */
const FAMILIES = /^(?:array|bit|date|jsonb?|make|range|regexp|regr|stddev|string|uuid|var)_|^uuidv[47]$/;

/** Parts of the names of functions that run SQL from a text, and of views that show values of all rows. */
const SEES_ALL = /^pg_|_to_xml|^dblink|^ts_stat$|^ts_rewrite$|^crosstab|^connectby|^run_command/;

const isKnown = (name: string) => FUNCTIONS.has(name) || FAMILIES.test(name);

/**
 * Refuses a function that may see the rows of all owners.
 *
 * @param path - in lower case, with its schema if the statement has it
 * @param functions - that the service names
 */
export function refuseFunction(path: string, functions: readonly string[]): void {
  const name = path.startsWith('pg_catalog.') ? path.slice('pg_catalog.'.length) : path;
  if (!functions.includes(path) && !isKnown(name))
    throw new Unscoped(
      `${path}() may see the rows of all owners: name it in functions of operationsOf, or use unscoped(db)`,
    );
}

/** Refuses the name of a table, or of a function in a fragment, that sees the rows of all owners. */
export function refuseSeer(name: string, functions: readonly string[] = []): void {
  const isGiven = functions.some((each) => each === name || each.endsWith(`.${name}`));
  if (SEES_ALL.test(name) && !isGiven && !isKnown(name))
    throw new Unscoped(`${name} sees the rows of all owners: use unscoped(db)`);
}
