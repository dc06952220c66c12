import { onTestFinished } from 'vitest';
import { openTcpProxy, type TcpProxy } from './tcp-proxy.ts';

export interface Proxy extends TcpProxy {
  /** The database's URL through the proxy. */
  url: string;
}

/** Opens a {@link TcpProxy} to Postgres, closed when the running test ends. */
export async function temporaryProxy(databaseUrl: string): Promise<Proxy> {
  const url = new URL(databaseUrl);
  const proxy = await openTcpProxy(Number(url.port || 5432), url.hostname);
  onTestFinished(() => proxy.cut());
  url.host = `127.0.0.1:${proxy.port}`;
  return { ...proxy, url: url.href };
}
