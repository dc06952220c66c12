import { Compiler, unescapePointer } from '@petstore-platform/openapi-validation';
import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify';
import pg from 'pg';
import type { Contract, Failure } from '../contract.ts';
import { ApiError, answerTo, isDatabaseUnavailable, NOT_FOUND } from '../errors.ts';
import { logFailure, readable } from '../failure-log.ts';
import type {} from './request-state.ts';

/** Makes the body of a failure, of any kind: of an operation, of a path that there is not, or of bytes that are no HTTP. */
export type WriteFailure = (
  failure: ApiError,
  state: { id: string; operation?: { id: string } | undefined },
) => { type: string; body: string; headers?: Record<string, string> };

const JSON_TYPE = 'application/json; charset=utf-8';

/** The header with the code of a failure whose body has no place for it. */
const CODE_HEADER = 'X-Error-Code';

/** The platform's Error. @throws Error if the body of a subclass is no JSON */
const writeError: WriteFailure = (failure) => ({ type: JSON_TYPE, body: JSON.stringify(failure.body()).toString() });

export type MakeBody = (failure: Failure) => unknown;

/** The platform's Error, for a contract whose own body it fits. */
const errorOf: MakeBody = ({ requestId: _, operation: __, ...body }) => body;

/** Writes failures in the contract's own shape. An `errorBody` that fails must not leave a client without a response. */
export function writerOf(
  {
    contract: { failures },
    errorBody = errorOf,
  }: { contract: Pick<Contract, 'failures'>; errorBody?: MakeBody | undefined },
  log: FastifyBaseLogger,
): WriteFailure {
  if (!failures) return writeError;
  const type = `${failures.type}; charset=utf-8`;
  return (failure, { id, operation }) => {
    const platforms = writeError(failure, { id, operation });
    const headers = { [CODE_HEADER]: encodeURIComponent(failure.code.toWellFormed()) };
    try {
      const body = jsonText(errorBody({ ...failure.body(), requestId: id, operation: operation?.id }));
      return { type, body, ...(failures.code === undefined && { headers }) };
    } catch (error) {
      logFailure(log, { id, operation }, error);
      return { ...platforms, headers };
    }
  };
}

/** @throws Error for a value that is no object of JSON, such as a promise */
function jsonText(body: unknown): string {
  if (typeof body !== 'object' || body === null || 'then' in body) throw new Error('errorBody must return an object');
  return JSON.stringify(body);
}

/** The failures of the platform that clients must recognize: they decide whether a request is repeated. */
const RECOGNIZED: [status: number, code: string][] = [
  [409, 'idempotency_key_in_use'],
  [429, 'api_key_banned'],
  [503, 'outcome_unknown'],
];

/**
 * Tries `errorBody` with a failure of each status that an operation declares.
 *
 * @throws Error for a body that the contract does not admit, and for one without the code where the contract says that it has it
 */
export function checkErrorBody({ failures, schemas }: Contract, errorBody: MakeBody): void {
  if (!failures) return;
  const compiler = new Compiler({ ...schemas });
  const bodyOf = (status: number, operation: string | undefined, code?: string): unknown => {
    const errors =
      status === 400 || status === 422 ? { errors: [{ pointer: '/body/name', message: 'is required' }] } : {};
    const failure = new ApiError(status, 'The request failed', { ...(code && { code }), ...errors });
    try {
      return JSON.parse(jsonText(errorBody({ ...failure.body(), requestId: 'id', operation })));
    } catch (error) {
      throw new Error(`errorBody fails for a ${status}: ${(error as Error).message}`, { cause: error });
    }
  };
  for (const [id, bodies] of Object.entries(failures.bodies))
    for (const [status, schema] of Object.entries(bodies)) {
      const number = status === 'default' ? 500 : Number(status.replace('XX', '00'));
      const validate = compiler.compile(schema);
      if (validate(bodyOf(number, id))) continue;
      const [{ instancePath, message = '' } = { instancePath: '' }] = validate.errors ?? [];
      throw new Error(
        `The contract does not admit the body that errorBody gives for a ${status} of ${id}: ${`${instancePath} ${message}`.trim()}`,
      );
    }
  for (const [status, code] of RECOGNIZED) {
    if (failures.code && valueAt(bodyOf(status, undefined, code), failures.code) !== code)
      throw new Error(
        `errorBody must give the code ${code} at ${failures.code}: clients repeat requests by it. Or set \`code: null\` in \`x-error\``,
      );
  }
}

/** The value at a JSON pointer (RFC 6901). */
const valueAt = (body: unknown, pointer: string) =>
  pointer
    .split('/')
    .slice(1)
    .map(unescapePointer)
    .reduce((value, key) => Object(value)[key], body);

/** Answers a request with its failure. Invalid HTTP has no request to answer, so `Requests` writes to its socket. */
export function sendError(thrown: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const { raw } = request;
  const error = readable(() => reasonOf(thrown), undefined) ?? thrown;
  const { counting } = raw.state;
  if (counting) {
    raw.state.counting = undefined;
    // A refusal (429) goes before any other failure.
    return void counting
      .catch((failure: unknown) => failure)
      .then((refusal) => sendError(refusal ?? error, request, reply));
  }
  // The client aborted its upload, so there is nothing to log or answer.
  if (raw.errored !== null && error === raw.errored) return;
  // A body that nobody reads would wait in memory until the client has read the response.
  raw.resume();
  // Fastify closes after a body that it refuses, and the reset could discard the response (RFC 9112 section 9.6).
  reply.removeHeader('Connection');
  const { failure, written } = answerTo(
    readable(() => refusedValue(error, request), undefined) ?? error,
    (one) => request.server.requests.writeFailure(one, raw.state),
    raw.state,
  );
  raw.state.failure = failure;
  // ApiErrors are deliberate; only unexpected failures are logged.
  const isExpected = failure === error || (failure.status < 500 && !(error instanceof pg.DatabaseError));
  if (!isExpected) logFailure(request.server.log, raw.state, error);
  const { type, body, headers } = written;
  reply
    .code(failure.status)
    .headers({ ...failure.headers, ...headers })
    .type(type)
    .send(body);
}

/**
 * SQLSTATEs of data exceptions, of a row or an entry of an index that is too large, and of a syntax error, also in a value of a type with a
 * syntax, such as `tsquery`. Only an error in a statement has a position.
 */
const isRefused = ({ code = '', position, internalPosition }: pg.DatabaseError) =>
  /^(22...|54000)$/.test(code) || (code === '42601' && position === undefined && internalPosition === undefined);

/** In any language, Postgres' messages have the value in quotes. */
const QUOTES = /[\s"'«»„“”‘’「」]+/;

/**
 * The failure for a value that Postgres refuses, although the contract admits it: 404 for one of the path. It is logged, as the contract
 * should say more, or a handler has made the value. A request without values cannot have caused it.
 */
function refusedValue(error: unknown, { params, body, raw }: FastifyRequest): ApiError | undefined {
  if (!(error instanceof pg.DatabaseError) || !isRefused(error) || isDatabaseUnavailable(error)) return undefined;
  const named = Object.values(params ?? {});
  const words = error.message.split(QUOTES);
  if (named.some((value) => words.includes(`${value}`))) return new ApiError(404, NOT_FOUND);
  const hasValues = named.length > 0 || raw.url?.includes('?') || body !== undefined;
  return hasValues ? new ApiError(400, 'A value of the request is invalid') : undefined;
}

/** The reason of a signal of ours in the error of a function that was aborted by it. */
const reasonOf = (error: unknown) =>
  error instanceof Error && error.name === 'AbortError' && error.cause instanceof ApiError ? error.cause : undefined;
