import { parentPort, workerData } from 'node:worker_threads';
import { lint } from '../redocly.ts';

parentPort?.postMessage(await lint(workerData));
