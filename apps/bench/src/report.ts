import { mkdir, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import path from 'node:path';

/** Prints a report and writes it to `results/<part>.md`, or in a quick run to `results/quick`, which is not committed. */
export async function publish(part: string, text: string, { quick }: { quick: boolean }): Promise<void> {
  const command = `pnpm bench ${part}${quick ? ' --quick' : ''}`;
  const date = new Date().toISOString().slice(0, 10);
  const machine = `${process.platform} ${process.arch}, ${availableParallelism()} processors, Node.js ${process.version}`;
  const report = `\`${command}\`, ${date}, ${machine}.\n\n${text}\n`;
  const folder = path.join(import.meta.dirname, '../results', quick ? 'quick' : '.');
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, `${part}.md`), report);
  console.log(report);
}
