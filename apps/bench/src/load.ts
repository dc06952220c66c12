import autocannon from 'autocannon';

export interface Load {
  url: string;
  /** Taken in turn by the connections. */
  keys: string[];
  connections: number;
  seconds: number;
}

/**
 * Requests per second under a steady load.
 *
 * @throws Error when a request was not answered
 */
export async function load({ url, keys, connections, seconds }: Load): Promise<number> {
  let next = 0;
  const result = await autocannon({
    url,
    connections,
    duration: seconds,
    setupClient(client) {
      client.setHeaders({ authorization: `Bearer ${keys[next++ % keys.length]}` });
    },
  });
  if (result.errors > 0) throw new Error(`${result.errors} requests to ${url} were not answered`);
  return result.requests.average;
}
