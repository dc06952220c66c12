import { alone, type DatabaseHandle, type Job } from '@petstore-platform/server-runtime/operate';

/**
 * Runs a job now, unless a server runs it. For tests, and for the command `jobs run`.
 *
 * @param db - two of its connections are used
 * @returns whether it has run
 * @throws Error for an unknown name, and what the job throws
 */
export async function runJob<Context>(
  jobs: Readonly<Record<string, Job<Context>>>,
  name: string,
  { db, context }: { db: DatabaseHandle; context: Context },
): Promise<boolean> {
  const job = Object.hasOwn(jobs, name) ? jobs[name] : undefined;
  if (!job) throw new Error(`There is no job ${name}; there are ${Object.keys(jobs).join(', ')}`);
  const { signal } = new AbortController();
  return alone(db, name, () => job.run({ ...context, signal }));
}
