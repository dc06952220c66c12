// Generates the code of a contract when its file changes, for `pnpm dev`.
import { watch } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/** The time to wait after a change, because editors write a file in several steps. */
const SETTLE_MS = 50;

/** Generates now, and after each change of `openapi/` or of the platform's part. Reports a contract that is invalid. */
export async function watchContracts(root) {
  const contract = path.join(root, 'packages/contract');
  // The modules are loaded once, because that takes longer than the generation.
  const { generateFiles, writeFiles } = await import('../packages/contract/src/generate/generate.ts');
  const { bundleFile } = await import('../packages/contract/src/read.ts');
  const { platformIn } = await import('../packages/contract/src/complete.ts');
  const { targetsOf } = await import('../packages/contract/src/contract.ts');
  async function generate() {
    for (const target of targetsOf(root)) {
      const document = await bundleFile(path.join(root, target.contract), platformIn(root));
      for (const file of writeFiles(root, generateFiles(document, target))) console.error(`• Generated ${file}`);
    }
  }

  let last = generate();
  let waiting = false;
  const onChange = (_event, file) => {
    if (waiting || !file?.endsWith('.yaml')) return;
    waiting = true;
    const next = () => {
      waiting = false;
      return generate();
    };
    const report = (error) => console.error(`• Not generated: ${error.message}`);
    last = Promise.all([last, delay(SETTLE_MS)])
      .then(next)
      .catch(report);
  };
  watch(path.join(root, 'openapi'), { recursive: true }, onChange);
  watch(contract, onChange);
  await last;
}
