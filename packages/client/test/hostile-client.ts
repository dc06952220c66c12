// Calls each hostile path of a server and prints how the calls ended. Exits when nothing is left to wait for.
import { createClient, type PetstoreError } from '../src/index.ts';

export type Outcome = Pick<PetstoreError, 'name' | 'code' | 'status' | 'text' | 'attempts' | 'retryAfter'> & {
  elapsed: number;
};

const [origin, ...names] = process.argv.slice(2);

const outcomes = await Promise.all(
  names.map(async (path) => {
    const baseUrl = `${origin}/${encodeURIComponent(path)}`;
    // Unpacking is work, for which a busy machine takes its time.
    const limits = path === 'gzip bomb' ? {} : { timeout: 800, totalTimeout: 2_000 };
    const petstore = createClient({ apiKey: 'YOUR_API_KEY', baseUrl, ...limits });
    const start = performance.now();
    const error = await petstore.listPets().then(
      () => ({}) as PetstoreError,
      (error: PetstoreError) => error,
    );
    const { name, code, status, text = '', attempts, retryAfter } = error;
    const elapsed = performance.now() - start;
    return [path, { name, code, status, text: text.slice(0, 100), attempts, retryAfter, elapsed }];
  }),
);

process.stdout.write(JSON.stringify(Object.fromEntries(outcomes)));
