import { once } from 'node:events';
import type { Stats } from 'node:fs';
import path from 'node:path';
import { watch } from 'chokidar';
import { generateAll } from './generate/generate.ts';

/** The time to wait after a change, because editors write a file in several steps. */
const SETTLE_MS = 50;

const WITHOUT_SOURCES = /^(node_modules|dist|test|\..*)$/;

/**
 * Generates the code of the contracts now, and after each change of a YAML file. Reports a contract that is invalid.
 *
 * @param onChange - called after changes of TypeScript files, also generated ones
 */
export async function watchSources(root: string, onChange: () => void): Promise<void> {
  const generate = () => {
    for (const file of generateAll(root, true)) console.error(`• Generated ${file}`);
  };
  generate();

  const changed = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  const settle = () => {
    const types = new Set([...changed].map((file) => path.extname(file)));
    changed.clear();
    try {
      if (types.has('.yaml')) generate();
    } catch (error) {
      console.error(`• Not generated: ${(error as Error).message}`);
    }
    if (types.has('.ts')) onChange();
  };
  const ignored = (place: string, stats?: Stats) =>
    place !== root &&
    (WITHOUT_SOURCES.test(path.basename(place)) || (stats?.isFile() === true && !/\.(ts|yaml)$/.test(place)));
  const watcher = watch(root, { ignored, ignoreInitial: true });
  watcher.on('error', (error) => console.error(`• Not watched: ${(error as Error).message}`));
  watcher.on('all', (_event, file) => {
    changed.add(file);
    clearTimeout(timer);
    timer = setTimeout(settle, SETTLE_MS);
  });
  await once(watcher, 'ready');
}
