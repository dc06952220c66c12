/** How an SDK reads and writes the bodies of failures. */
export interface Failures {
  /** The code and the message in a body. */
  read(body: unknown, response?: Response): { code?: unknown; message?: unknown };
  /** The response of the service with a code and a message. */
  response(status: number, code: string, message: string, headers: Headers | Record<string, string>): Response;
}

/** Those of the platform's Error. */
export const failures: Failures = {
  read: Object,
  response: (status, code, message, headers) =>
    new Response(JSON.stringify({ code, message, status }), { status, headers }),
};
