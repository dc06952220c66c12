/** Generates the code of contracts when their files change. */
import { existsSync, globSync, watch } from 'node:fs';
import path from 'node:path';
import { generateAll, PLATFORM } from '@petstore-platform/contract/tools';

/** The time to wait after a change, because editors write a file in several steps. */
const SETTLE_MS = 50;

/** Generates now, and after each change of `openapi/` or of the platform's part. Reports a contract that is invalid. */
export async function watchContracts(root: string): Promise<void> {
  async function generate() {
    for (const file of generateAll(root, true)) console.error(`• Generated ${file}`);
  }

  let timer: NodeJS.Timeout | undefined;
  const report = (error: Error) => console.error(`• Not generated: ${error.message}`);
  const onChange = (_event: string, file: string | null) => {
    if (!file?.endsWith('.yaml')) return;
    clearTimeout(timer);
    timer = setTimeout(() => generate().catch(report), SETTLE_MS);
  };
  // Folders, because a recursive watch is one of each file on Linux, and ends when git or an editor replaces the file.
  for (const folder of globSync('openapi/**/', { cwd: root })) watch(path.join(root, folder), onChange);
  const platform = path.dirname(PLATFORM);
  if (existsSync(path.join(platform, 'src'))) watch(platform, onChange);
  await generate();
}
