import type { Ajv2020, FormatDefinition } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

/** The formats of texts. Each takes linear time, and admits only times that Postgres can store. Other formats are annotations. */
export function addTextFormats(ajv: Ajv2020): void {
  addFormats.default(ajv);
  ajv.addFormat('decimal', /^-?\d+(\.\d+)?$/);
  // Those of ajv-formats backtrack, or take several lines.
  ajv.addFormat('url', (text) => /^(https?|ftp):\/\//i.test(text) && URL.canParse(text));
  ajv.addFormat('byte', (text) => text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text));
  for (const name of ['date-time', 'date']) {
    const { validate, ...rest } = ajv.formats[name] as FormatDefinition<string> & { validate(text: string): boolean };
    ajv.addFormat(name, { ...rest, validate: (text: string) => isStored(text) && validate(text) });
  }
}

/** The longest time that Postgres reads has 128 characters, most of them in the fraction of its seconds. */
const LONGEST = 64;

/** Whether Postgres has the time: the years 1 to 9999 in UTC, and offsets below 16 hours. */
function isStored(text: string): boolean {
  if (text.length > LONGEST || /[+-](1[6-9]|2\d):?\d\d$/.test(text)) return false;
  // A Date has neither leap seconds nor more than three digits of a fraction.
  const time = new Date(
    text
      .replace(/:60(?=[.zZ+-])/, ':59')
      .replace(/\.\d+/, '')
      .toUpperCase(),
  );
  const year = time.getUTCFullYear();
  return Number.isNaN(year) || (year >= 1 && year <= 9999);
}
