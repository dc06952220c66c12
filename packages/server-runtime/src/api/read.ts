import type { RequestContext } from '../contract.ts';
import { jsonOf } from '../database/json.ts';
import { type RequestDb, readFailure } from '../database/statement.ts';
import type { TenantScope } from '../database/tenants.ts';
import { ApiError, NOT_FOUND } from '../errors.ts';
import type { Handler, HandlerResult } from './handler.ts';
import type { OperationParts } from './operation-parts.ts';
import { type PageRequest, pagesOf } from './page.ts';
import { HandlerContext, QueryResponse } from './query-response.ts';
import { type ResponseRow, statementsOf } from './response-sql.ts';

export type Run = (request: never, db: never, tools: never) => QueryResponse | Promise<QueryResponse | HandlerResult>;

export interface ReadOptions {
  /** Whether each request has a result of its own, such as a random number. Default: equal requests at the same time share one. */
  fresh?: boolean;
}

/** The response of a read or a write with a row. @throws ApiError 404 without one */
export function responseOf(
  status: number,
  { row: { missing } }: QueryResponse,
  row: ResponseRow | undefined,
): HandlerResult {
  if (!row) throw new ApiError(404, missing ?? NOT_FOUND);
  const { body, headers } = row;
  const result: HandlerResult = body === null ? { status } : { status, body };
  if (headers) result.headers = JSON.parse(headers);
  return result;
}

/** The handler of a read, whose statements only select. */
export function read(operation: string, run: Run, { fresh: isFresh = false }: ReadOptions, parts: OperationParts) {
  const { named, scope } = parts;
  const { status, fields } = parts.response;
  const json = fields && jsonOf(fields, 'row');
  const bindPages = pagesOf(operation, json ?? 'null', isFresh, parts);
  const statementOf = statementsOf(operation, json);
  return (db: RequestDb): Handler => {
    const { pipeline } = db;
    const pageOf = bindPages(db);
    const rowOf = async (response: QueryResponse, { caller }: RequestContext): Promise<ResponseRow | undefined> => {
      const compiled = response.query.compile();
      const query = scope?.bind(compiled, caller) ?? compiled;
      const [row] = await db.read(statementOf(response, query), query, { scope, caller, isFresh });
      return row as ResponseRow | undefined;
    };
    const respond = async (
      response: QueryResponse,
      request: PageRequest,
      context: RequestContext,
    ): Promise<HandlerResult> => {
      try {
        if (response.kind === 'page') return { status, ...(await pageOf(response, request, context)) };
        return responseOf(status, response, await rowOf(response, context));
      } catch (error) {
        throw readFailure(db, error);
      }
    };
    /**
     * Responses whose statement is not sent yet, for equal requests; of equal callers, where the handler asks who calls. Sharing here also
     * saves running the handler; the pipeline saves only the statement.
     */
    let waiting = new Map<string, Promise<HandlerResult>>();
    let { generation } = pipeline;
    let isPersonal = scope !== undefined;
    const keyOf = ({ headers }: PageRequest, { url, caller }: RequestContext) => {
      if (isFresh || url === undefined) return undefined;
      if (named.length === 0 && !isPersonal) return url;
      return JSON.stringify([url, named.map((name) => headers?.[name]), isPersonal && caller]);
    };
    return async (request: PageRequest, context) => {
      if (generation !== pipeline.generation) [waiting, generation] = [new Map(), pipeline.generation];
      const same = waiting.get(keyOf(request, context) ?? '');
      if (same !== undefined) return same;
      const { caller, state } = context;
      const handlerContext = new HandlerContext(caller, state);
      const tenant: TenantScope | undefined = scope && { scope, caller };
      const result = run(
        request as never,
        db.reader(tenant, { caller: caller.id, isFresh }) as never,
        handlerContext as never,
      );
      if (!(result instanceof QueryResponse)) {
        try {
          const later = await result;
          return later instanceof QueryResponse ? await respond(later, request, context) : later;
        } finally {
          if (tenant) tenant.isOver = true;
        }
      }
      if (tenant) tenant.isOver = true;
      isPersonal ||= handlerContext.isPersonal;
      const response = respond(result, request, context);
      const key = keyOf(request, context);
      if (key !== undefined && !handlerContext.usesSignal) {
        const shared = waiting.set(key, response);
        // A failure, such as that of a connection, is no answer to later requests.
        response.catch(() => shared.delete(key));
      }
      return response;
    };
  };
}
