// Makes the files of a new service in memory and in a temporary folder, so that a contract with a problem changes nothing.
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { platformIn } from '../../packages/contract/src/complete.ts';
import { counted, operationsOf } from '../../packages/contract/src/contract.ts';
import { generateFiles } from '../../packages/contract/src/generate/generate.ts';
import { isBindable } from '../../packages/contract/src/generate/names.ts';
import { keyOf, literal, markdown, quoted } from '../../packages/contract/src/generate/values.ts';
import { isError, report } from '../../packages/contract/src/lint/report.ts';
import { bundleFile, filesOf, folderOf } from '../../packages/contract/src/read.ts';
import { lint } from '../../packages/contract/src/redocly.ts';
import { defineService, lanesOf } from '../../packages/server-runtime/src/index.ts';
import { bind, loadConfig } from '../../packages/server-runtime/src/testing/testing.ts';

const root = path.resolve(import.meta.dirname, '../..');
const TEMPLATES = path.join(import.meta.dirname, 'templates');
/** The size limit of an SDK without operations, and of each operation, in kilobytes. */
const [SDK_SIZE, OPERATION_SIZE] = [10.4, 0.05];

/** Makes a contract with one resource, named like the service. */
export function starter(name, folder) {
  const words = name.replaceAll('-', ' ');
  const text = readFileSync(path.join(import.meta.dirname, 'starter.yaml'), 'utf8')
    .replace('title: Starter', `title: ${words[0].toUpperCase()}${words.slice(1)}`)
    .replace('api.starter', `api.${name}`);
  const file = path.join(folder, `${name}.yaml`);
  writeFileSync(file, text);
  return file;
}

/**
 * All files of a service and its SDK, as text by path from the root, and the operations that lack an example.
 *
 * @param from - the contract
 * @param scratch - an empty folder
 * @throws Error that says which parts of the contract to change
 */
export async function serviceFiles(name, from, scratch) {
  const platform = platformIn(root);
  const within = folderOf(from);
  const problems = await lint(from, platform, within);
  if (problems.some(isError)) throw new Error(`${report(problems)}Nothing was changed.`);
  if (problems.length > 0) console.log(report(problems));
  const sources = await filesOf(from, within);
  const contract = sources.length === 1 ? `openapi/${name}.yaml` : `openapi/${name}/${path.basename(from)}`;
  const document = await bundleFile(from, platform, within);
  const operations = operationsOf(document, () => '');
  if (operations.length === 0) refuse([`${shown(from)}:1:1 Describe an operation below \`paths\`.`]);
  const [plan] = Object.entries(document['x-rate-limit-plans']).find(([, limits]) => limits.perMinute !== null) ?? [];
  if (!plan)
    refuse([`${shown(from)}:1:1 Give one of \`x-rate-limit-plans\` a number \`perMinute\`: it limits addresses.`]);

  const names = namesOf(name, contract);
  const target = {
    contract,
    server: `apps/${name}/src/generated`,
    client: `packages/${name}-client/src/generated`,
    sdk: { package: `${names.scope}/${name}-client`, variable: names.camel, version: '0.0.0' },
  };
  let generated;
  let served;
  try {
    generated = generateFiles(document, target);
    served = await tryToServe({ generated, target, operations, plan, scratch, names });
  } catch ({ message }) {
    refuse([`${placeOf(message, operations, sources)} It cannot be served: ${message}`]);
  }
  const { reference, examples } = served;

  const folders = foldersOf(document, operations, name);
  const [first] = operations;
  const samples = JSON.parse(reference).paths[first.path][first.method]['x-codeSamples'];
  const values = {
    ...names,
    api: document.info.title.replace(/\s+/g, ' '),
    about: markdown(document.info.title),
    plan: quoted(plan),
    limit: (SDK_SIZE + operations.length * OPERATION_SIZE).toFixed(1),
    imports: folders
      .map(({ folder, variable }) => `import { ${variable} } from './${folder}/operations.ts';`)
      .join('\n'),
    handlers: folders.map(({ variable }) => `...${variable}`).join(', '),
    sample: samples[0]?.source ?? `import { createClient } from '${target.sdk.package}';`,
  };
  const templates = globSync('**/*.tpl', { cwd: TEMPLATES }).sort();
  const files = new Map([
    ...sources.map((file) => [
      sources.length === 1
        ? contract
        : path.posix.join(path.posix.dirname(contract), path.relative(path.dirname(from), file)),
      readFileSync(file, 'utf8'),
    ]),
    ...templates.map((file) => [
      file
        .replaceAll('@', name)
        .replace('dot-', '.')
        .replace(/\.tpl$/, ''),
      fill(file, values),
    ]),
    ...folders.map((each) => [`apps/${name}/src/${each.folder}/operations.ts`, operationsFile(each)]),
    ...generated,
  ]);
  return { files, lacking: operations.map(({ id }) => id).filter((id) => !examples[id]) };
}

const shown = (file) => path.relative('', file);

function refuse(problems) {
  if (problems.length > 0)
    throw new Error(
      `${problems.join('\n')}\n\n${counted(problems.length, 'problems')} in the contract. Nothing was changed.`,
    );
}

/** The text of a template with each `{{name}}` replaced. */
function fill(file, values) {
  return readFileSync(path.join(TEMPLATES, file), 'utf8').replace(/{{([\w-]+)}}/g, (_, key) => {
    if (values[key] === undefined) throw new Error(`A template names ${key}, which has no value`);
    return file.endsWith('.json.tpl') ? literal(values[key]).slice(1, -1) : values[key];
  });
}

function namesOf(name, contract) {
  const read = (file) => readFileSync(path.join(root, file), 'utf8');
  const { name: repository, license } = JSON.parse(read('package.json'));
  const camel = name.replace(/-([a-z0-9])/g, (_, letter) => letter.toUpperCase());
  const identifier = name.replaceAll('-', '_');
  return {
    name,
    contract,
    license,
    camel,
    identifier,
    Title: camel[0].toUpperCase() + camel.slice(1),
    // As in generated code, a digit begins no word.
    NAME: camel.replace(/[A-Z]/g, '_$&').toUpperCase(),
    scope: repository.split('/')[0],
    'openapi-fetch': /^ {2}openapi-fetch: (\S+)$/m.exec(read('pnpm-workspace.yaml'))[1],
  };
}

/** Builds the server without a database, because a strict validator or a route may refuse a contract that passes the lint. */
async function tryToServe({ generated, target, operations, plan, scratch, names }) {
  const folder = path.join(scratch, 'generated');
  mkdirSync(folder);
  for (const [file, text] of generated)
    if (file.startsWith(`${target.server}/`)) writeFileSync(path.join(folder, path.basename(file)), text);
  const { contract } = await import(path.join(folder, 'contract.ts'));
  const { todo } = lanesOf(contract);
  const handlers = Object.fromEntries(operations.map(({ id }) => [id, todo(id)]));
  const service = defineService({ name: names.identifier, contract, handlers, migrations: {}, addressPlan: plan });
  // The database is never used, because the server connects on its first request.
  const config = loadConfig({ DATABASE_URL: 'postgres://127.0.0.1', LOG_LEVEL: 'silent', DOCS: 'off' });
  const { app, close } = await bind(service).openService(config);
  await app.ready();
  await app.close();
  await close();
  return { reference: contract.reference, examples: (await import(path.join(folder, 'examples.ts'))).examples };
}

/** The operation that a message of the generators or the server is about, as `file:line:column`. */
function placeOf(message, operations, sources) {
  const about = operations.find(
    ({ id, path: place }) => message.startsWith(`${id}:`) || message.endsWith(place) || message.includes(`${place},`),
  );
  for (const file of about ? sources : []) {
    const lines = readFileSync(file, 'utf8').split('\n');
    const index = lines.findIndex((text) => text.includes('operationId') && text.split(/\W+/).includes(about.id));
    if (index >= 0) return `${shown(file)}:${index + 1}:1`;
  }
  return `${shown(sources[0])}:1:1`;
}

/** A folder for each tag, with its operations in the order of the contract, and the constant that holds them. */
function foldersOf(document, operations, name) {
  const folders = new Map();
  for (const { id, path: place, method } of operations) {
    const [tag = name] = document.paths[place][method].tags ?? [];
    const slug =
      tag
        .toLowerCase()
        .replace(/[^a-z0-9]+/g, '-')
        .replace(/^-|-$/g, '') || name;
    const folder = slug === 'generated' ? 'generated-operations' : slug;
    folders.set(folder, [...(folders.get(folder) ?? []), id]);
  }
  return [...folders]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([folder, ids]) => {
      const camel = folder.replace(/-([a-z0-9])/g, (_, letter) => letter.toUpperCase());
      return {
        folder,
        ids,
        variable:
          isBindable(camel) && !TAKEN.includes(camel)
            ? camel
            : `operationsOf${camel[0].toUpperCase()}${camel.slice(1)}`,
      };
    });
}

/** The other constants of `service.ts` and `operations.ts`. */
const TAKEN = ['contract', 'migrations', 'service', 'defineService', 'todo'];

function operationsFile({ ids, variable }) {
  const rows = ids.map((id) => `  ${keyOf(id)}: todo(${quoted(id)}),\n`).join('');
  return `import { todo } from '../lanes.ts';

/** The operations, which have yet to be written (see docs/own-service.md). */
export const ${variable} = {
${rows}};
`;
}
