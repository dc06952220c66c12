import { setTimeout as delay } from 'node:timers/promises';
import type { Contract } from './contract.ts';
import { openConnection, parseResponse, type RawResponse } from './raw.ts';

/** Bytes to send on a new connection, with the expected responses. */
export interface Case {
  name: string;
  bytes: string | Buffer;
  /** Statuses of all responses, in order, until the server closes the connection. Default: any below 500. */
  answers?: number[] | undefined;
  /** The client's next step. Default: it waits for the server to close the connection. */
  afterwards?: 'half-close' | 'half-close later' | undefined;
  /** Resets the connection (RST) after a number of bytes and a pause in milliseconds. Default: no reset. */
  reset?: { after: number; pause: number } | undefined;
}

/** The error codes that a failure may have, by status. */
const CODES: Record<number, string[]> = {
  400: ['invalid_request'],
  401: ['api_key_missing', 'api_key_invalid'],
  404: ['not_found'],
  405: ['method_not_allowed'],
  408: ['request_timeout'],
  413: ['payload_too_large'],
  415: ['unsupported_media_type'],
  417: ['expectation_failed'],
  431: ['request_header_fields_too_large'],
};
const CONCURRENCY = 64;
/** The delay before a late half-close, in milliseconds. It leaves time for the response to an incomplete request. */
const HALF_CLOSE_DELAY = 500;
/** The time to wait for the end of a connection, in milliseconds. It exceeds the server's header timeout. */
export const TIMEOUT = 25_000;

/**
 * Sends all cases, 64 at a time, and validates the responses against the contract.
 *
 * @returns the failures, one line each
 */
export async function tryAll(port: number, cases: Case[], contract: Contract): Promise<string[]> {
  const failures: string[] = [];
  const queue = cases.values();
  const worker = async () => {
    for (const each of queue) {
      const problem = await attempt(port, each, contract).catch((error: Error) => error.message);
      if (problem) failures.push(`${each.name}: ${problem}`);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
  return failures;
}

/** Each case with a reset before the first byte, in the middle, after the last byte, and 20 ms after it. */
export const resets = (cases: Case[]): Case[] =>
  cases.flatMap((one) => [withReset(one, 0, 0), withReset(one, 0.5, 0), withReset(one, 1, 0), withReset(one, 1, 20)]);

/** A case that ends with a reset after a share of its bytes. */
export function withReset(source: Case, share: number, pause: number): Case {
  const after = Math.round(share * Buffer.byteLength(source.bytes));
  return { ...source, name: `${source.name}, reset after ${after} bytes and ${pause} ms`, reset: { after, pause } };
}

async function attempt(port: number, tried: Case, contract: Contract): Promise<string | undefined> {
  const { bytes, afterwards, reset, answers } = tried;
  const connection = await openConnection(port, TIMEOUT);
  if (reset) {
    if (reset.after > 0)
      await new Promise<void>((resolve) => connection.write(Buffer.from(bytes).subarray(0, reset.after), resolve));
    if (reset.pause > 0) await delay(reset.pause);
    connection.destroy();
    return undefined;
  }
  connection.write(bytes);
  if (afterwards === 'half-close') connection.end();
  if (afterwards === 'half-close later') setTimeout(() => connection.end(), HALF_CLOSE_DELAY).unref();
  await connection.readToEnd();
  connection.end();

  const [method = '', target = ''] = bytes.toString('latin1').split(/[ \r\n]/, 2);
  const responses = parseResponses(connection.received());
  for (const { status, body, ...response } of responses) {
    if (status >= 500) return `answered ${status} ${body}`;
    // The request of a response is known only if there is a single response, and the request line is intact.
    if (answers?.length === 1 && target.startsWith('/'))
      contract.expectContract(method, target, { status, ...response }, body);
    else if (status >= 400) contract.expectFailure({ status, ...response }, body);
    if (status < 400) continue;
    const { code } = JSON.parse(body || '{}');
    if (CODES[status] && code && !CODES[status].includes(code)) return `answered ${status} ${body}`;
    if (!/^[\w-]{36}$/.test(response.headers.get('X-Request-Id') ?? '')) return `answered ${status} without an id`;
  }
  const statuses = responses.map(({ status }) => status);
  if (answers && String(statuses) !== String(answers))
    return `answered ${statuses.join() || 'nothing'}, not ${answers}`;
  return undefined;
}

/** Splits pipelined responses by their Content-Length. */
function parseResponses(bytes: Buffer): RawResponse[] {
  const responses: RawResponse[] = [];
  for (let rest = bytes; rest.length > 0; ) {
    const response = parseResponse(rest.toString('latin1'));
    if (Number.isNaN(response.status)) throw new Error(`no response: ${rest.subarray(0, 100)}`);
    const start = rest.indexOf('\r\n\r\n') + 4;
    const end = start + Number(response.headers.get('Content-Length') ?? 0);
    if (end > rest.length) throw new Error(`truncated response: ${rest.subarray(0, 300)}`);
    responses.push({ ...response, body: rest.subarray(start, end).toString() });
    rest = rest.subarray(end);
  }
  return responses;
}
