// Prints the lines of sources and tests, the direct dependencies and the words of documents beside .ci/budget.json, and fails above it.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

/** Programs write these. */
const GENERATED = /(^|\/)generated\/|^packages\/([\w-]+-)?client\/src\//;
const TEST = /(^|\/)test\/|\.test\.ts$/;

const read = (file) => readFileSync(file, 'utf8');
const budget = JSON.parse(read('.ci/budget.json'));
const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--deduplicate']);
const files = `${listed}`.split('\0').filter((file) => existsSync(file) && !GENERATED.test(file));
const code = files.filter((file) => /\.(ts|tsx|js|mjs)$/.test(file));
const sources = code.filter((file) => !TEST.test(file));
const documents = files.filter((file) => file.endsWith('.md'));

const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);
const linesOf = (counted) => sum(counted.map((file) => read(file).split('\n').length - 1));
const wordsOf = (counted) => sum(counted.map((file) => read(file).match(/\S+/g)?.length ?? 0));
const sourcesIn = (folder) => sources.filter((file) => file.startsWith(`${folder}/src/`));

const rows = [];
const add = (name, count, { limit = 0, goal } = {}) => rows.push({ name, count, limit, goal });
for (const manifest of files.filter((file) => /^(apps|examples|packages)\/[^/]+\/package\.json$/.test(file))) {
  const folder = manifest.slice(0, -'/package.json'.length);
  const { lines, dependencies } = budget.packages[folder] ?? {};
  const direct = JSON.parse(read(manifest));
  add(`lines of ${folder}`, linesOf(sourcesIn(folder)), lines);
  add(
    `dependencies of ${folder}`,
    new Set(Object.keys({ ...direct.dependencies, ...direct.peerDependencies })).size,
    dependencies,
  );
}
add('lines of the three parts', linesOf(budget.parts.folders.flatMap(sourcesIn)), budget.parts);
add('lines of all sources', linesOf(sources), budget.sources);
add('lines of all tests', linesOf(code) - linesOf(sources), budget.tests);
add('words of all documents', wordsOf(documents), budget.documents);

console.table(Object.fromEntries(rows.map(({ name, ...numbers }) => [name, numbers])));
for (const { name, count, limit } of rows.filter((row) => row.count > row.limit)) {
  console.error(
    `${count} ${name}: .ci/budget.json allows ${limit}. Raise it in a commit that says which promise it buys.`,
  );
  process.exitCode = 1;
}
