/** Shorter keys are placeholders: redacting them would garble the text. */
const SHORTEST_KEY = 8;

/** The functions that remove API keys from what an error shows: a service may echo them, and errors end in logs. */
export function redactor(keys: Iterable<string>) {
  // Without a key, a pattern that matches nothing. A test shows that it takes linear time.
  // oxlint-disable-next-line no-restricted-globals
  const pattern = new RegExp([...keys].flatMap(patternOf).join('|') || '(?!)', 'gi');
  const redact = (text: string) => text.replace(pattern, '[API key]');
  const hasKey = (text: string) => redact(text) !== text;

  /** The response, or a copy without the headers that have a key. */
  const redactResponse = (response: Response | undefined): Response | undefined => {
    const { status, statusText = '', headers = [], url, ok } = response ?? {};
    const all = Symbol.iterator in headers ? [...headers] : [];
    const kept = all.filter((header) => !header.some(hasKey));
    if (kept.length === all.length && !hasKey(statusText)) return response;
    const copy = new Response(null, { statusText: redact(statusText), headers: kept });
    // The constructor refuses statuses that a service can send, such as 999.
    return Object.defineProperties(copy, { status: { value: status }, url: { value: url }, ok: { value: ok } });
  };

  /** The cause, or an error with only its name, message and stack trace if it has a key anywhere. */
  const redactCause = (cause: unknown): unknown => {
    try {
      if (!hasKey(textOf(cause))) return cause;
    } catch {
      // It cannot be searched, for instance because it contains itself.
    }
    const { name, message = cause, stack } = Object(cause);
    return Object.assign(new Error(redact(`${message}`)), { name: redact(`${name}`), stack: redact(`${stack}`) });
  };
  return { redact, redactResponse, redactCause };
}

/**
 * A pattern of a key, each of its characters as it is or escaped as in JSON or in a URL, also several times over, and of a
 * half of the key that the end of the text cuts off. None for a placeholder.
 *
 * It takes linear time: a run of backslashes is read from its beginning only, and has no part of the key, whose own
 * backslashes are left out.
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
