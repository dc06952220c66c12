/** How an SDK reads and writes the bodies of failures. */
export interface Failures {
  /** The code, the message and the fields in a body. */
  read(body: unknown, response?: Response): { code?: unknown; message?: unknown; errors?: unknown };
  /** The response of the service with a code and a message. */
  response(status: number, code: string, message: string, headers: Headers | Record<string, string>): Response;
}

type Places = { [Name in 'code' | 'message' | 'fields']?: readonly string[] };

/** Reads bodies whose texts, and whose messages by field, are at the first of these places. Without a code there, the header has it. */
export const readerOf =
  (...all: Places[]): Failures['read'] =>
  (body, response) => {
    if (typeof body !== 'object' || body === null) return {};
    const at = (keys?: readonly string[]) => keys?.reduce<unknown>((value, key) => Object(value)[key], body);
    const find = (name: keyof Places, type: string) => all.map((one) => at(one[name])).find((it) => typeof it === type);
    const code = find('code', 'string') ?? response?.headers.get('X-Error-Code');
    const errors = Object.entries(Object(find('fields', 'object'))).flatMap(([field, messages]) =>
      // `body` is the request as a whole.
      [messages].flat().map((message) => ({ pointer: field === 'body' ? '/body' : `/body/${field}`, message })),
    );
    const summary = errors.map(({ pointer, message }) => `${pointer.slice(6)} ${message}`.trim()).join(', ');
    return { code, message: find('message', 'string') ?? summary, ...(errors.length > 0 && { errors }) };
  };

/** Those of the platform's Error. */
export const failures: Failures = {
  read: Object,
  response: (status, code, message, headers) =>
    new Response(JSON.stringify({ code, message, status }), { status, headers }),
};
