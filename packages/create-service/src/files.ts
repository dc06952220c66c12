/** Makes the files of a new service in memory and in a temporary folder, so that a contract with a problem changes nothing. */
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  basePathOf,
  check,
  type Document,
  folderOf,
  generateFiles,
  isError,
  literal,
  markdown,
  operationsOf,
  PLATFORM,
  planOf,
  quoted,
  readContract,
  readmeCode,
  report,
  staleCopy,
} from '@petstore-platform/contract/tools';
import { foldersOf, operationsFile } from './folders.ts';
import { camelCase, capitalized } from './names.ts';

const OWN = path.join(import.meta.dirname, '..');
/** The size limit of an SDK without operations, and of each operation, in kilobytes. */
const [SDK_SIZE, OPERATION_SIZE] = [11, 0.05];

/** The places of a service's files. */
export interface Layout {
  /** The templates besides those that all layouts share. */
  templates: 'workspace' | 'repository';
  /** The folder of the repository, and within it those of the service and of the SDK. */
  root: string;
  service: string;
  client: string;
  /** The names of their packages. */
  package: string;
  sdkPackage: string;
  /** Further names in the templates. */
  values: Record<string, string>;
}

/** Writes the files of a service, from a contract or from the starter. Returns their paths from the root. */
export async function writeService(name: string, contract: string | undefined, layout: Layout): Promise<string[]> {
  const scratch = mkdtempSync(path.join(tmpdir(), 'new-service-'));
  try {
    const { files, lacking } = await serviceFiles(name, contract ?? starter(name, scratch), scratch, layout);
    for (const [place, text] of files) {
      mkdirSync(path.dirname(path.join(layout.root, place)), { recursive: true });
      writeFileSync(path.join(layout.root, place), text);
    }
    if (lacking.length > 0)
      console.log(`Lacking an example of a body or parameter, and so a sample and a test: ${lacking.join(', ')}`);
    return [...files.keys(), ...staleCopy(layout.root, true)];
  } finally {
    rmSync(scratch, { recursive: true });
  }
}

/** Makes a contract with one resource, named like the service. */
function starter(name: string, folder: string): string {
  const text = readFileSync(path.join(OWN, 'starter.yaml'), 'utf8')
    .replace('title: Starter', `title: ${capitalized(name.replaceAll('-', ' '))}`)
    .replace('api.starter', `api.${name}`);
  const file = path.join(folder, `${name}.yaml`);
  writeFileSync(file, text);
  return file;
}

/**
 * The files of a service and its SDK, as text by path from the root, and the operations that lack an example.
 *
 * @param from - the contract
 * @param scratch - an empty folder
 * @throws Error that says which parts of the contract to change
 */
async function serviceFiles(name: string, from: string, scratch: string, layout: Layout) {
  const isWorkspace = layout.templates === 'workspace';
  console.error('• Checking the contract');
  // The root of a new repository does not exist yet.
  const problems = await check(from, isWorkspace ? layout.root : scratch);
  if (problems.some(isError)) throw new Error(`${report(problems)}Nothing was changed.`);
  if (problems.length > 0) console.log(report(problems));
  const { published, document: read, files: sources } = readContract(from, PLATFORM, folderOf(from));
  const document = read as Document;
  const folder = sources.map((file) => path.dirname(file)).reduce(commonFolder);
  const within = (file: string) => path.relative(folder, path.resolve(file)).replaceAll('\\', '/');
  const contract = sources.length === 1 ? `openapi/${name}.yaml` : `openapi/${name}/${within(from)}`;
  const operations = operationsOf(document, () => '');
  const camel = camelCase(name);
  const target = {
    contract,
    server: path.posix.join(layout.service, 'src/generated'),
    client: path.posix.join(layout.client, 'src/generated'),
    sdk: { package: layout.sdkPackage, variable: camel, version: '0.0.0' },
    ...(!isWorkspace && { command: 'npm run generate' }),
  };
  const generated = generateFiles(published as Document, target);
  const requests = path.join(scratch, 'examples.ts');
  writeFileSync(requests, `${generated.get(`${target.server}/examples.ts`)}`);
  const { examples } = await import(requests);

  const folders = foldersOf(operations, name);
  const values = {
    ...layout.values,
    name,
    camel,
    identifier: name.replaceAll('-', '_'),
    Title: capitalized(camel),
    // As in generated code, a digit begins no word.
    NAME: camel.replace(/[A-Z]/g, '_$&').toUpperCase(),
    contract,
    package: layout.package,
    sdkPackage: layout.sdkPackage,
    sdk: isWorkspace ? layout.sdkPackage : '../client/src/generated/index.ts',
    tables: isWorkspace ? 'pnpm tables' : 'npm run tables',
    api: document.info.title.replace(/\s+/g, ' '),
    about: markdown(document.info.title),
    local: `http://127.0.0.1:3000${basePathOf(document)}`,
    plan: quoted(planOf(document) ?? ''),
    limit: (SDK_SIZE + operations.length * OPERATION_SIZE).toFixed(1),
    imports: folders
      .map(({ folder, variable }) => `import { ${variable} } from './${folder}/operations.ts';`)
      .join('\n'),
    errorBody: document['x-error'] ? "import { errorBody } from './generated/failure.ts';\n" : '',
    handlers: folders.map(({ variable }) => `...${variable}`).join(', '),
    failures: document['x-error'] ? '\n  errorBody,' : '',
    ...readmeCode(published as Document, target.sdk),
  };
  // A reference to `../common.yaml` stays within the folder of the contract.
  const placeOf = (file: string) => (sources.length === 1 ? contract : `openapi/${name}/${within(file)}`);
  const files = new Map([
    ...sources.map((file) => [placeOf(file), readFileSync(file, 'utf8')] as const),
    ...filled('service', layout.service, values),
    ...filled('client', layout.client, values),
    ...filled(layout.templates, '', values),
    ...folders.map(
      (each) => [path.posix.join(layout.service, `src/${each.folder}/operations.ts`), operationsFile(each)] as const,
    ),
    ...generated,
  ]);
  return { files, lacking: operations.map(({ id }) => id).filter((id) => !examples[id]) };
}

/** The folder that holds two. */
const commonFolder = (one: string, other: string): string =>
  `${other}${path.sep}`.startsWith(`${one}${path.sep}`) ? one : commonFolder(path.dirname(one), other);

/**
 * The templates of a folder with each `{{name}}` replaced, by their places below another folder. A section of a README is left out
 * if a value in it is empty.
 */
function filled(folder: string, to: string, values: Record<string, string>): [string, string][] {
  const templates = path.join(OWN, 'templates', folder);
  return globSync('**/*.tpl', { cwd: templates })
    .sort()
    .map((file) => {
      const template = readFileSync(path.join(templates, file), 'utf8');
      const isEmpty = (section: string) =>
        [...section.matchAll(/{{(\w+)}}/g)].some(([, key = '']) => values[key] === '');
      const sections = /\.md\.tpl$/.test(file)
        ? template.split(/^(?=## )/m).filter((each) => !isEmpty(each))
        : [template];
      const text = sections.join('').replace(/{{([\w-]+)}}/g, (_, key: string) => {
        const value = values[key];
        if (value === undefined) throw new Error(`A template names ${key}, which has no value`);
        return file.endsWith('.json.tpl') ? literal(value).slice(1, -1) : value;
      });
      // npm writes its own format. In another one, the first upgrade would change nearly each line.
      const isNpms = folder === 'repository' && path.basename(file) === 'package.json.tpl';
      const place = file
        .replaceAll('@', `${values.name}`)
        .replaceAll('dot-', '.')
        .replace(/\.tpl$/, '');
      return [path.posix.join(to, place), isNpms ? `${JSON.stringify(JSON.parse(text), null, 2)}\n` : text];
    });
}
