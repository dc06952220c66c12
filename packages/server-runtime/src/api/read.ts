import type { Kysely } from 'kysely';
import type { Operation, RequestContext } from '../contract.ts';
import { jsonOf } from '../database/json.ts';
import type { Handle } from '../database/statement.ts';
import type { Own } from '../database/tenants.ts';
import { ApiError, NOT_FOUND } from '../errors.ts';
import { Answer, HandlerContext } from './answer.ts';
import type { Handler, HandlerResult } from './handler.ts';
import { type PageRequest, pagesOf } from './page.ts';
import { type Answered, rowsOf } from './row.ts';
import type { Schema } from './storage.ts';

export type Run = (request: never, db: never, answers: never) => Answer | Promise<Answer | HandlerResult>;

export interface ReadOptions {
  /**
   * Whether concurrent requests share the statement of any answer. It is one session, on one processor: measure. Default: only a page, and
   * a row that is looked up by the values of its columns.
   */
  shared?: boolean;
}

/** The response of a read or a write with a row. @throws ApiError 404 without one */
export function responseOf(
  status: number,
  { row: { missing } }: Answer,
  answered: Answered | undefined,
): HandlerResult {
  if (!answered) throw new ApiError(404, missing ?? NOT_FOUND);
  const { body, headers } = answered;
  const result: HandlerResult = body === null ? { status } : { status, body };
  if (headers) result.headers = JSON.parse(headers);
  return result;
}

/** The handler of a read, whose statements only select. @param named - the headers that the contract declares */
export function read(
  operation: string,
  run: Run,
  { shared = false }: ReadOptions,
  schema: Schema & Pick<Operation, 'response'> & { named: readonly string[] },
) {
  const { response, named, scope } = schema;
  const { status, fields } = response;
  const json = fields && jsonOf(fields, 'row');
  const [bindPages, bindRows] = [pagesOf(operation, json ?? 'null', schema), rowsOf(operation, json, schema, shared)];
  return (db: Handle): Handler => {
    const reader = db.reader<never>(undefined) as unknown as Kysely<never>;
    /**
     * Equal requests whose only statement has not begun share the handler, those of equal callers where it asks who calls. The tokens of a
     * person may have different owners and scopes.
     */
    let waiting = new Map<string, Promise<HandlerResult>>();
    let isPersonal = scope !== undefined;
    let started = 0;
    const onStart = () => {
      started += 1;
      if (waiting.size > 0) waiting = new Map();
    };
    const failed = (error: unknown): never => {
      onStart();
      throw error;
    };
    const keyOf = ({ headers }: PageRequest, { url, caller }: RequestContext) => {
      if (url === undefined || (named.length === 0 && !isPersonal)) return url;
      return JSON.stringify([url, named.map((name) => headers?.[name]), isPersonal && caller]);
    };
    const [pageOf, rowOf] = [bindPages(db, onStart), bindRows(db, reader, onStart)];
    const respond = (answer: Answer, request: PageRequest, context: RequestContext) =>
      answer.kind === 'page'
        ? pageOf(answer, request, context).then((page): HandlerResult => ({ status, ...page }), failed)
        : rowOf(answer, context.caller).then((row) => responseOf(status, answer, row), failed);
    const runFor = (request: PageRequest, handlerContext: HandlerContext, own: Own) => {
      const result = run(request as never, db.reader(own) as never, handlerContext as never);
      const end = () => {
        own.isOver = true;
      };
      if (result instanceof Answer) end();
      else result.then(end, end);
      return result;
    };
    return (request: PageRequest, context) => {
      const same = waiting.get(keyOf(request, context) ?? '');
      if (same !== undefined) return same;
      const handlerContext = new HandlerContext(context.caller, context.state);
      const before = started;
      try {
        const result = scope
          ? runFor(request, handlerContext, { scope, caller: context.caller })
          : run(request as never, reader as never, handlerContext as never);
        if (!(result instanceof Answer))
          return result.then((later) => (later instanceof Answer ? respond(later, request, context) : later));
        isPersonal ||= handlerContext.isPersonal;
        const response = respond(result, request, context);
        const key = keyOf(request, context);
        if (key !== undefined && started === before && !handlerContext.isOwn) waiting.set(key, response);
        return response;
      } catch (error) {
        return Promise.reject(error);
      }
    };
  };
}
