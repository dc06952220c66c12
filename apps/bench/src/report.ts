import { mkdir, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import path from 'node:path';

const folder = path.join(import.meta.dirname, '../results');

/** Keeps a file of a run: that of a full one is committed, that of a quick one is not. */
export async function keep(name: string, text: string, { quick }: { quick: boolean }): Promise<void> {
  const file = path.join(folder, quick ? 'quick' : '.', name);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, text);
}

/** As in `linux x64, 2 processors, Node.js v24.21.0`. */
export function describeMachine(): string {
  return `${process.platform} ${process.arch}, ${availableParallelism()} processors, Node.js ${process.version}`;
}

export const today = () => new Date().toISOString().slice(0, 10);
