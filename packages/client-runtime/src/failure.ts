/** How an SDK reads and writes the bodies of failures. */
export interface Failures {
  /** The code, the message and the fields in a body. */
  read(body: unknown, response?: Response): { code?: unknown; message?: unknown; errors?: unknown };
  /** The response of the service with a code and a message. */
  response(status: number, code: string, message: string, headers: Headers | Record<string, string>): Response;
}

type Keys = readonly string[];

/** Reads bodies whose texts, and whose messages by field, are at these places. Without a code there, the header has it. */
export const readerOf =
  (places: { code?: Keys; message?: Keys; fields?: Keys }): Failures['read'] =>
  (body, response) => {
    if (typeof body !== 'object' || body === null) return {};
    const at = (keys?: Keys) => keys?.reduce<unknown>((value, key) => Object(value)[key], body);
    const textAt = (keys?: Keys) => [at(keys)].find((value) => typeof value === 'string');
    const code = textAt(places.code) ?? response?.headers.get('X-Error-Code');
    const errors = Object.entries(Object(at(places.fields))).flatMap(([field, messages]) =>
      // `body` is the request as a whole.
      [messages].flat().map((message) => ({ pointer: field === 'body' ? '/body' : `/body/${field}`, message })),
    );
    const told = errors.map(({ pointer, message }) => `${pointer.slice(6)} ${message}`.trim()).join(', ');
    return { code, message: textAt(places.message) ?? told, ...(places.fields && { errors }) };
  };

/** Those of the platform's Error. */
export const failures: Failures = {
  read: Object,
  response: (status, code, message, headers) =>
    new Response(JSON.stringify({ code, message, status }), { status, headers }),
};
