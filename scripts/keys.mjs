// Runs the command `keys` of a service, on DATABASE_URL or the database of its running `npm start`:
// `npm run keys -- [--service <name>] create --name me --plan free`. `token` issues one of the issuer of `npm start`.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { chosenService } from './services.mjs';

const given = process.argv.slice(2);
const [, name] = given[0] === '--service' ? given.splice(0, 2) : [];
const service = chosenService(name, (each) => `npm run keys -- --service ${each} ${given.join(' ')}`.trimEnd());

if (existsSync(path.join(import.meta.dirname, '../packages/service/node_modules'))) {
  const { keys } = await import('../packages/service/src/keys.ts');
  process.exitCode = await keys(service, given);
} else {
  console.error(`Nothing is installed yet: ${service.commands.start}`);
  process.exitCode = 1;
}
