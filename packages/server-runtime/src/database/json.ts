import pg from 'pg';
import type { Field, Fields } from '../contract.ts';

/**
 * The SQL of the JSON of a row, whose columns have the names of the fields. A field that is not required is absent for null. Times are in
 * UTC, and decimals are strings where the contract has strings.
 *
 * @param row - the name of the table
 */
export function jsonOf(fields: Fields, row: string): string {
  const named = Object.entries(fields);
  const isFirstRequired = named[0]?.[1].required === true;
  const texts = named.map(([field, own], index) => {
    const label = `${index === 0 && isFirstRequired ? '' : ','}${JSON.stringify(field)}:`;
    const value = `${row}.${pg.escapeIdentifier(field)}`;
    // A null in a required field is written as `null`, which shows the mistake. Otherwise all of the JSON would be null.
    const json = own.required
      ? `${literal(label)} || coalesce(${valueSql(value, own)}, 'null')`
      : `coalesce(${literal(label)} || ${valueSql(value, own)}, '')`;
    if (!own.enum || own.type !== 'string') return json;
    // Comparing is faster than escaping: one such field saves a tenth of the time of a page.
    const known = own.enum.filter((each) => typeof each === 'string');
    const cases = known.map((each) => `when ${literal(each)} then ${literal(label + JSON.stringify(each))}`);
    return cases.length > 0 ? `case ${value}::text ${cases.join(' ')} else ${json} end` : json;
  });
  const text = texts.length > 0 ? texts.join(' || ') : `''`;
  // The first of the fields that may be absent begins with a comma.
  return `'{' || ${isFirstRequired ? text : `substr(${text}, 2)`} || '}'`;
}

const literal = (text: string) => pg.escapeLiteral(text).trim();

/** The text of a value in JSON. Such texts are concatenated, as json_build_object takes twice as long. */
function valueSql(value: string, { type, format }: Field): string {
  // A day, and a time without a zone, is one in UTC, as sessions have it.
  if (format === 'date-time') return `rtrim(to_json(${value}::timestamptz at time zone 'UTC')::text, '"') || 'Z"'`;
  if (format === 'date') return `to_json(${value}::date)::text`;
  if (type === 'integer') return `${value}::text`;
  return type === 'string' ? `to_json(${value}::text)::text` : `to_json(${value})::text`;
}
