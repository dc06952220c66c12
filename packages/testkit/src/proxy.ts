import { onTestFinished } from 'vitest';
import { openTcpProxy } from './tcp-proxy.ts';

/** Opens a proxy to Postgres, closed when the running test ends. Its `url` is that of the database, through it. */
export async function temporaryProxy(databaseUrl: string) {
  const url = new URL(databaseUrl);
  const proxy = await openTcpProxy(Number(url.port || 5432), url.hostname);
  onTestFinished(() => proxy.cut());
  url.host = `127.0.0.1:${proxy.port}`;
  return { ...proxy, url: url.href };
}
