// This program calls each hostile path of a server, prints the outcomes, and exits when nothing is pending.
import { type BookstoreError, createClient } from '@repo/bookstore';

export type Outcome = Pick<BookstoreError, 'name' | 'code' | 'status' | 'text' | 'attempts' | 'retryAfter'>;

const [origin, ...names] = process.argv.slice(2);

const outcomes = await Promise.all(
  names.map(async (path) => {
    const baseUrl = `${origin}/${encodeURIComponent(path)}`;
    // Where the deadline decides, there is one attempt: a second one could have no time left for the headers.
    const limits = /^(stalled|slow)/.test(path)
      ? { timeout: 10_000, maxRetries: 0 }
      : { timeout: 60_000, totalTimeout: 90_000, maxRetries: 1 };
    const api = createClient({ apiKey: 'YOUR_API_KEY', baseUrl, ...limits });
    const error = await api.listBooks().catch((error: BookstoreError) => error);
    const { name, code, status, text = '', attempts, retryAfter } = error as BookstoreError;
    return [path, { name, code, status, text: text.slice(0, 100), attempts, retryAfter }];
  }),
);

process.stdout.write(JSON.stringify(Object.fromEntries(outcomes)));
