// Runs on the machine: follows the documents of deploy/ literally, as its administrator, and breaks what they say how to mend.
import { tryBackups } from './backups.mjs';
import { tryNginx } from './nginx.mjs';
import { preparePostgres } from './postgres.mjs';
import { setUp, tryFaults, tryLog, tryPassword, tryRunbook, tryUpdate } from './servers.mjs';

preparePostgres();
const service = await setUp();
const only = process.env.ONLY?.split(',');
for (const step of [tryLog, tryNginx, tryUpdate, tryPassword, tryFaults, tryRunbook, tryBackups]) {
  if (only && !only.includes(step.name)) continue;
  const start = performance.now();
  await step(service);
  console.log(`✓ ${step.name}: ${Math.round((performance.now() - start) / 1_000)} s`);
}
