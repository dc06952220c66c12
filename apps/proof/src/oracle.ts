import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { listen } from '@petstore-platform/testkit/server';
import { contract } from './petstore.ts';

/** A response that Schemathesis got. */
interface Response {
  method: string;
  url: string;
  status: number;
  headers: [name: string, value: string][];
  body: string;
}

/**
 * Serves the validation of responses to `schemathesis/checks.py`: 204, or 200 and what is wrong. Schemathesis' own checks accept
 * undeclared properties and headers, and any status under `default`.
 *
 * @returns its URL
 */
export async function startOracle(run: AsyncDisposableStack): Promise<string> {
  const server = createServer(async (request, response) => {
    const { method, url, status, headers, body } = (await json(request)) as Response;
    try {
      contract.expectContract(method, url, { status, headers: new Headers(headers) }, body);
      response.writeHead(204).end();
    } catch (error) {
      response.end((error as Error).message);
    }
  });
  const port = await listen(server);
  run.defer(() => server.closeAllConnections());
  run.defer(() => void server.close());
  return `http://127.0.0.1:${port}`;
}
