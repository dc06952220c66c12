// Runs on the machine: follows the documents of deploy/ literally, as its administrator, and breaks what they say how to mend.
import { tryBackups } from './backups.mjs';
import { tryDashboard } from './dashboard.mjs';
import { preparePostgres } from './postgres.mjs';
import { setUp, tryFaults, tryLog, tryPassword, tryRunbook, tryUpdate } from './servers.mjs';

preparePostgres();
const service = await setUp();
/** Names of steps, for those who change one. */
const only = (process.env.ONLY ?? '').split(',').filter(Boolean);
for (const step of [tryLog, tryDashboard, tryUpdate, tryPassword, tryFaults, tryRunbook, tryBackups]) {
  if (only.length > 0 && !only.includes(step.name)) continue;
  const start = performance.now();
  await step(service);
  console.log(`✓ ${step.name}: ${Math.round((performance.now() - start) / 1_000)} s`);
}
