import { _, type Ajv2020, type CodeKeywordDefinition, type FormatDefinition } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

/** The formats of texts. Each takes linear time, and admits only times that Postgres can store. Other formats are annotations. */
export function addTextFormats(ajv: Ajv2020): void {
  addFormats.default(ajv);
  ajv.addFormat('decimal', /^-?\d+(\.\d+)?$/);
  // Those of ajv-formats backtrack, or take several lines.
  ajv.addFormat('url', (text) => /^(https?|ftp):\/\//i.test(text) && URL.canParse(text));
  ajv.addFormat('byte', (text) => text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text));
  const [date, dateTime] = ['date', 'date-time'].map((name) => ajv.formats[name] as Ordered) as [Ordered, Ordered];
  ajv.addFormat('date', { ...date, validate: (text: string) => !text.startsWith('0000') && date.validate(text) });
  ajv.addFormat('date-time', {
    ...dateTime,
    validate: (text: string) =>
      TIME.test(text) && dateTime.validate(text.replace(/\.\d+/, '')) && !UNSTORED.test(inUtc(text)),
  });
  ajv.addFormat('regex', isExpression);
  // Postgres reads no `urn:uuid:`.
  const uuid = ajv.formats.uuid as RegExp;
  ajv.addFormat('uuid', (text) => text.length === 36 && uuid.test(text));
}

/**
 * Puts times in UTC in place of those with an offset: Postgres ignores the offset where a column has no zone. Otherwise, the same texts
 * would be other times in such a column.
 */
export function putTimesInUtc(ajv: Ajv2020): void {
  const plain = ajv.getKeyword('format') as CodeKeywordDefinition;
  const code: CodeKeywordDefinition['code'] = (context, type) => {
    plain.code(context, type);
    const { gen, schema, data, it } = context;
    if (schema !== 'time' && schema !== 'date-time') return;
    const utc = gen.scopeValue('func', { ref: inUtc });
    gen.if(_`typeof ${data} == "string" && ${it.parentData} !== undefined`, () =>
      gen.assign(_`${it.parentData}[${it.parentDataProperty}]`, _`${utc}(${data})`),
    );
  };
  ajv.removeKeyword('format').addKeyword({ ...plain, code });
}

/** A valid `date-time` or `time` in UTC. Its seconds stay as they are, with fractions and leap seconds. */
function inUtc(text: string): string {
  const [, day, minute, seconds, offset] = /^(\d{4}-\d\d-\d\d)?.?(\d\d:\d\d)(.*)([+-]\d\d:\d\d)$/s.exec(text) ?? [];
  if (minute === undefined) return text;
  const utc = new Date(`${day ?? '2000-01-01'}T${minute}${offset}`).toISOString();
  return `${utc.slice(day ? 0 : 11, 16)}${seconds}Z`;
}

type Ordered = FormatDefinition<string> & { validate(text: string): boolean };

/** A time has an offset below 16 hours, with minutes. The longest one that Postgres reads has 128 characters, most of them in a fraction. */
const TIME = /^(?!.{65}).{11}(?:[01]\d|2[0-3]):.*(?:z|[+-](?:0\d|1[0-5]):\d\d)$/i;

/** Postgres has the years 1 to 9999, and rounds up to microseconds. After a leap second, it stores the next one. */
const UNSTORED = /^(?:0000|[+-]|9999-12-31.23:59:(?:60|59\.9{6}[5-9]))/;

/** Whether a text is an expression as the keyword `pattern` takes it. */
function isExpression(text: string): boolean {
  try {
    // It is only parsed.
    // oxlint-disable-next-line no-restricted-globals
    return text.length <= 1_000 && new RegExp(text, 'u') !== undefined;
  } catch {
    return false;
  }
}
