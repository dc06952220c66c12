import { tried } from './checks.ts';

/** The shortest key that is redacted. A shorter one is a placeholder, and its redaction would garble the text. */
const SHORTEST_KEY = 8;

/** Functions that remove API keys from the parts of an error. A service may echo a key, and errors are logged. */
export function redactor(keys: Iterable<string>) {
  // Without a key, `(?!)` matches nothing. A test shows that the pattern takes linear time.
  // oxlint-disable-next-line no-restricted-globals
  const pattern = new RegExp([...keys].flatMap(patternOf).join('|') || '(?!)', 'gi');
  const redact = (text: string) => text.replace(pattern, '[API key]');
  const hasKey = (text: string) => redact(text) !== text;

  /** Returns a copy of a response without body, and without the headers that contain a key. */
  const redactResponse = (response: Response): Response => {
    const headers = [...response.headers].filter((header) => !header.some(hasKey));
    const copy = new Response(null, { statusText: redact(response.statusText ?? ''), headers });
    // The constructor refuses statuses that a service can send, such as 999.
    return Object.defineProperties(copy, {
      status: { value: response.status },
      url: { value: redact(`${response.url}`) },
      ok: { value: response.ok },
    });
  };

  /** Returns the cause or, if a key is anywhere in it, an error with only its redacted name, message and stack trace. */
  const redactCause = (cause: unknown): unknown => {
    // A cause that contains itself cannot be searched.
    if (tried(() => !hasKey(textOf(cause)))) return cause;
    const { name, message = cause, stack } = Object(cause);
    return Object.assign(new Error(redact(`${message}`)), { name: redact(`${name}`), stack: redact(`${stack}`) });
  };
  return [redact, redactResponse, redactCause] as const;
}

/**
 * The pattern of a key; none for a placeholder. It matches the key, plain or escaped (as in JSON or in a URL, also several times
 * over), and its first half at the end of a cut text.
 *
 * It takes linear time, because a match begins only at the start of a run of backslashes. Backslashes within the key are ignored.
 */
function patternOf(key: string): string[] {
  const codes = [...key.replaceAll('\\', '')].map((character) => character.charCodeAt(0).toString(16));
  if (codes.length < SHORTEST_KEY) return [];
  const characters = codes.map((code, index) => {
    const cut = index < codes.length / 2 ? '' : '|$';
    return `\\\\*(?:\\x${code}|u00${code}|(?:%|u0025)(?:25)*${code}${cut})`;
  });
  return [`(?<!\\\\)${characters.join('')}`];
}

/** The text of an exception, of its properties and of its causes. */
function textOf(exception: unknown): string {
  const { name, message, stack, cause, errors } = Object(exception);
  const inner = [cause, errors].flat().map((each) => each && textOf(each));
  return [name, message, stack, JSON.stringify(exception), ...inner].join();
}
