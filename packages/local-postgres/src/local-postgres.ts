import { openEmbeddedPostgres } from './embedded.ts';

export interface LocalPostgres {
  /** `postgres://petstore:<password>@127.0.0.1:<port>/petstore`; the role is a superuser of its own Postgres. */
  url: string;
  /** End your own connections first. */
  stop(): Promise<void>;
}

/**
 * Starts the Postgres whose data is in `folder`, which is created on first use.
 *
 * @param settings - of Postgres, such as `{ fsync: 'off' }`
 */
export async function startLocalPostgres(
  folder: string,
  settings: Record<string, string> = {},
): Promise<LocalPostgres> {
  const { url, close } = await openEmbeddedPostgres(folder, { settings });
  return { url, stop: close };
}
