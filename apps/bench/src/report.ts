import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beginEvidence } from '@petstore-platform/testkit/evidence';

/**
 * Begins the report of a part. Returns a function that prints it and writes it to `results/<part>.md`, or in a quick run to
 * `results/quick`, which is not committed.
 */
export function beginReport(part: string, { quick }: { quick: boolean }): (text: string) => Promise<void> {
  const evidence = quick ? undefined : beginEvidence(`pnpm bench ${part}`);
  return async (text) => {
    const report = `# Bench: ${part}\n\n${evidence?.source ?? `\`pnpm bench ${part} --quick\``}.\n\n${text}\n`;
    console.log(report);
    if (evidence) return evidence.write(`apps/bench/results/${part}.md`, report);
    const folder = path.join(import.meta.dirname, '../results/quick');
    await mkdir(folder, { recursive: true });
    await writeFile(path.join(folder, `${part}.md`), report);
  };
}
