import { onTestFinished } from 'vitest';
import { type Link, openLink } from './link.ts';

export interface Proxy extends Link {
  /** The database's URL through the proxy. */
  url: string;
}

/** Opens a {@link Link} to Postgres, closed when the running test ends. */
export async function temporaryProxy(databaseUrl: string): Promise<Proxy> {
  const url = new URL(databaseUrl);
  const link = await openLink(Number(url.port || 5432), url.hostname);
  onTestFinished(() => link.cut());
  url.host = `127.0.0.1:${link.port}`;
  return { ...link, url: url.href };
}
