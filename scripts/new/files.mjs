// Makes the files of a new service in memory and in a temporary folder, so that a contract with a problem changes nothing.
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { check } from '../../packages/contract/src/check.ts';
import { platformIn } from '../../packages/contract/src/complete.ts';
import { operationsOf } from '../../packages/contract/src/contract.ts';
import { failureBody } from '../../packages/contract/src/generate/failure.ts';
import { generateFiles } from '../../packages/contract/src/generate/generate.ts';
import { isBindable } from '../../packages/contract/src/generate/names.ts';
import { keyOf, literal, markdown, quoted } from '../../packages/contract/src/generate/values.ts';
import { isError, report } from '../../packages/contract/src/lint/report.ts';
import { folderOf, readContract } from '../../packages/contract/src/read.ts';

const root = path.resolve(import.meta.dirname, '../..');
const TEMPLATES = path.join(import.meta.dirname, 'templates');
/** The size limit of an SDK without operations, and of each operation, in kilobytes. */
const [SDK_SIZE, OPERATION_SIZE] = [10.5, 0.05];

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
  const within = folderOf(from);
  const problems = await check(from, root);
  if (problems.some(isError)) throw new Error(`${report(problems)}Nothing was changed.`);
  if (problems.length > 0) console.log(report(problems));
  const { published, document, files: sources } = readContract(from, platformIn(root), within);
  const contract = sources.length === 1 ? `openapi/${name}.yaml` : `openapi/${name}/${path.basename(from)}`;
  const operations = operationsOf(document, () => '');
  // Unknown callers are limited by the first plan that has a number.
  const [plan] = Object.entries(document['x-rate-limit-plans']).find(([, limits]) => limits.perMinute !== null);

  const names = namesOf(name, contract);
  const target = {
    contract,
    server: `apps/${name}/src/generated`,
    client: `packages/${name}-client/src/generated`,
    sdk: { package: `${names.scope}/${name}-client`, variable: names.camel, version: '0.0.0' },
  };
  const generated = generateFiles(published, target);
  const { reference, examples } = await samplesOf(generated, target, scratch);

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
    failures: failuresOf(document),
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

/** The property `errorBody` of a service whose contract has a body of failures of its own. */
function failuresOf(document) {
  const own = document['x-error'];
  if (!own) return '';
  const body = failureBody(document, own);
  const variables = ['status', 'code', 'message'].filter((name) => body.match(/\w+/g).includes(name));
  return `\n  errorBody: ({ ${variables.join(', ')} }) => (${body}),`;
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

/** The reference with its samples, and the examples of requests, which are written as modules. */
async function samplesOf(generated, target, scratch) {
  const load = (name) => {
    const file = path.join(scratch, name);
    writeFileSync(file, generated.get(`${target.server}/${name}`));
    return import(file);
  };
  const [{ reference }, { examples }] = await Promise.all(['document.ts', 'examples.ts'].map(load));
  return { reference, examples };
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
  return `import { todo } from '../api.ts';

/** The operations, which have yet to be written (see docs/own-service.md). */
export const ${variable} = {
${rows}};
`;
}
