// The services of this workspace: the apps whose package.json names a contract. Runs on Node.js 20 without any package installed.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** The folder of this workspace, and the pnpm that it pins. */
export const root = path.resolve(import.meta.dirname, '..');
export const { packageManager } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));

/** The folders of all packages, with what their package.json says. */
export const manifests = () =>
  ['apps', 'packages'].flatMap((parent) =>
    readdirSync(path.join(root, parent)).flatMap((name) => {
      const file = path.join(root, parent, name, 'package.json');
      return existsSync(file) ? { folder: `${parent}/${name}`, ...JSON.parse(readFileSync(file, 'utf8')) } : [];
    }),
  );

/**
 * All services, by the name of their contract. It is `shop` for `openapi/shop.yaml` and for `openapi/shop/openapi.yaml`.
 *
 * In package.json, `start.data` names another folder for the local data, and `start.default` the service that starts without a name.
 */
export function services() {
  const all = manifests();
  const apps = all.filter(({ folder, contract }) => folder.startsWith('apps/') && contract?.server);
  return apps.map(({ folder, name: npm, contract, start = {} }) => {
    const name = /^openapi\/([^/]+)\//.exec(contract.file)?.[1] ?? path.basename(contract.file).replace(/\.\w+$/, '');
    const variable = `${name.replaceAll('-', '_').toUpperCase()}_DATA_DIR`;
    const sdk = all.find((each) => each.contract?.client && each.contract.file === contract.file);
    return {
      name,
      root,
      package: npm,
      folder,
      contract: contract.file,
      client: sdk && { package: sdk.name, folder: sdk.folder },
      main: path.join(root, folder, 'dist/main.js'),
      sources: ['--conditions=source', path.join(root, folder, 'src/main.ts')],
      commands: { start: `npm start -- ${name}`, keys: `npm run keys -- --service ${name}` },
      variable,
      data: path.resolve(root, process.env[variable] || (start.data ?? `.data/${name}`)),
      default: start.default,
    };
  });
}

/** The service with a name. Without a name, it is the only service, or the default one. Otherwise, prints the commands, and exits. */
export function chosenService(name, command) {
  const all = services();
  const usual = all.length === 1 ? all[0] : all.find((each) => each.default);
  const chosen = name ? all.find((each) => each.name === name) : usual;
  if (chosen) return chosen;
  const problem = name ? `There is no service ${name}.` : 'Which service?';
  const commands = all.map((each) => `\n  ${command(each.name)}`).join('');
  console.error(all.length > 0 ? `${problem} Run:${commands}` : `${problem} Create one: npm run new -- <name>`);
  process.exit(1);
}

/** The service with a name. Without a name, it is the default or first one, for checks to which any service may be subjected. */
export function anyService(name) {
  const all = services();
  return chosenService(name ?? (all.find((each) => each.default) ?? all[0])?.name, (each) => each);
}

// `node scripts/services.mjs` prints all services as JSON. `node scripts/services.mjs package [name]` prints a field of one.
if (process.argv[1] === import.meta.filename) {
  const [field, name] = process.argv.slice(2);
  const command = (each) => `node scripts/services.mjs ${field} ${each}`;
  console.log(field ? chosenService(name, command)[field] : JSON.stringify(services(), null, 2));
}
