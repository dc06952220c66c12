import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ROOT } from './copy.ts';

const RUNTIME = 'packages/server-runtime/src';

test('the lint refuses imports against the layers, and says why', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'layers-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const seeded: [file: string, module: string, reason: string][] = [
    [`${RUNTIME}/a.ts`, './generated/operations.ts', 'knows no service'],
    [`${RUNTIME}/b.ts`, '@petstore/server', 'knows no service'],
    [`${RUNTIME}/c.ts`, '../../../apps/server/src/service.ts', 'knows no service'],
    [`${RUNTIME}/http/d.ts`, '../testing/start.ts', 'knows no service'],
    [`${RUNTIME}/config.ts`, './api/plugin.ts', 'below all folders'],
    [`${RUNTIME}/database/e.ts`, '../http/server.ts', 'the lowest layer'],
    [`${RUNTIME}/limits/f.ts`, '../keys/keys.ts', 'know neither keys nor HTTP'],
    [`${RUNTIME}/keys/g.ts`, '../http/server.ts', 'Keys do not know HTTP'],
    [`${RUNTIME}/http/h.ts`, '../api/plugin.ts', 'above it'],
    [`${RUNTIME}/api/i.ts`, '../app.ts', 'below app.ts'],
    ['packages/storage-citus/src/j.ts', '@repo/server-runtime/internal/app', 'serves any table'],
    ['packages/testkit/src/k.ts', '@petstore/server', 'knows none'],
    ['apps/any/src/l.ts', '@repo/server-runtime/internal/app', 'exports for services'],
    ['apps/any/src/p.ts', '@petstore/any-client', 'exports for services'],
    ['apps/any/src/things/m.ts', '../service.ts', 'joins the resources'],
    ['apps/any/src/things/n.ts', '../toys/operations.ts', 'not its handlers'],
    ['apps/proof/src/o.ts', '@repo/server-runtime', 'as a process'],
  ];
  for (const [file, module] of seeded) {
    mkdirSync(path.join(folder, path.dirname(file)), { recursive: true });
    writeFileSync(path.join(folder, file), `import { x } from '${module}';\nconsole.log(x);\n`);
  }
  cpSync(path.join(ROOT, '.oxlintrc.json'), path.join(folder, '.oxlintrc.json'));
  const { stdout } = spawnSync(`${ROOT}/node_modules/.bin/oxlint`, ['--format=json'], {
    cwd: folder,
    encoding: 'utf8',
  });
  const { diagnostics } = JSON.parse(stdout) as { diagnostics: { filename: string; help: string }[] };
  for (const [file, , reason] of seeded) {
    const found = diagnostics.flatMap(({ filename, help }) => (filename === file ? help : [])).join(' ');
    expect([file, found]).toEqual([file, expect.stringContaining(reason)]);
  }
});
