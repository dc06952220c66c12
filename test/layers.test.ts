import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { ROOT, temporaryFolder } from './copy.ts';

const RUNTIME = 'packages/server-runtime/src';

test('the lint refuses imports against the layers, and says why', () => {
  const folder = temporaryFolder();
  const seeded: [file: string, module: string, reason: string][] = [
    [`${RUNTIME}/app.ts`, './generated/operations.ts', 'only lower layers'],
    [`${RUNTIME}/jobs.ts`, '@petstore/server', "isn't specified"],
    [`${RUNTIME}/serve.ts`, '../../../apps/server/src/service.ts', 'only lower layers'],
    [`${RUNTIME}/http/d.ts`, '../testing/start.ts', 'http/ may import only lower layers'],
    [`${RUNTIME}/config.ts`, './steps/8-handler.ts', 'config may import only lower layers'],
    [`${RUNTIME}/database/e.ts`, '../http/server.ts', 'database/ may import only lower layers'],
    [`${RUNTIME}/api-keys/g.ts`, '../http/server.ts', 'api-keys/ may import only lower layers'],
    [`${RUNTIME}/http/h.ts`, '../steps/8-handler.ts', 'http/ may import only lower layers'],
    [`${RUNTIME}/api/i.ts`, '../app.ts', 'api/ may import only lower layers'],
    [`${RUNTIME}/ops/q.ts`, '../steps/8-handler.ts', 'ops/ may import only lower layers'],
    [`${RUNTIME}/new.ts`, './errors.ts', 'Give this file a layer'],
    [
      'packages/contract/src/contract.ts',
      '@petstore-platform/contract-review',
      'contract may import only lower layers',
    ],
    ['packages/server-runtime/test/http/r.ts', '../../src/http/body.ts', 'Only test/unit/ knows the inside'],
    ['packages/quota/src/s.ts', '@petstore-platform/openapi-validation', 'used without the rest'],
    ['packages/testkit/src/k.ts', '@petstore/server', "isn't specified"],
    ['apps/any/src/l.ts', '@petstore-platform/server-runtime/testing', 'exports for services'],
    ['apps/any/src/p.ts', '@petstore/any-client', "isn't specified"],
    ['apps/any/src/things/m.ts', '../service.ts', 'knows neither the service'],
    ['apps/any/src/things/n.ts', '../toys/operations.ts', "nor another one's handlers"],
    ['apps/proof/src/o.ts', '@petstore-platform/server-runtime', 'as a process'],
  ];
  for (const [file, module] of seeded) {
    mkdirSync(path.join(folder, path.dirname(file)), { recursive: true });
    writeFileSync(path.join(folder, file), `import { x } from '${module}';\nconsole.log(x);\n`);
  }
  const manifests = seeded.map(([file]) => file.replace(/(src|test)\/.*/, 'package.json'));
  for (const name of ['biome.json', 'oxlint.config.ts', '.gitignore', ...new Set(manifests)]) {
    const [from, to] = [path.join(ROOT, name), path.join(folder, name)];
    if (existsSync(from)) cpSync(from, to);
    else writeFileSync(to, '{ "name": "any" }');
  }
  const run = (command: string) =>
    spawnSync('sh', ['-c', `${ROOT}/node_modules/.bin/${command}`], { cwd: folder, encoding: 'utf8' }).stdout;
  const { diagnostics } = JSON.parse(run('oxlint --format=json')) as {
    diagnostics: { filename: string; help: string }[];
  };
  const undeclared = run('biome lint --reporter=github --max-diagnostics=none').split('\n');
  for (const [file, , reason] of seeded) {
    const reasons = diagnostics.flatMap(({ filename, help }) => (filename === file ? help : []));
    reasons.push(...undeclared.filter((line) => line.includes(`/${file},`)));
    expect([file, reasons.join(' ')]).toEqual([file, expect.stringContaining(reason)]);
  }
});
