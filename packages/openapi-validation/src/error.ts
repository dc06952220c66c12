/** A value that fails, for forms. */
export interface FieldError {
  /** The JSON pointer to it (RFC 6901), below `/body`, `/query` or `/header`. */
  pointer: string;
  message: string;
}

/** A request that is refused. Fastify answers it with the status; an error handler may add `errors`. */
export class RequestError extends Error {
  readonly statusCode: 400 | 404 | 415;
  /** The values that fail: at most twenty. Undefined if the request fails as a whole. */
  readonly errors: FieldError[] | undefined;

  /** @param message - sent to the client */
  constructor(statusCode: RequestError['statusCode'], message: string, errors?: FieldError[]) {
    super(message);
    this.statusCode = statusCode;
    this.errors = errors;
  }
}

/** The failure of a body as a whole: 400. */
export const bodyError = (message: string) => new RequestError(400, `body ${message}`, [{ pointer: '/body', message }]);

export const NOT_FOUND = 'The requested resource could not be found';
