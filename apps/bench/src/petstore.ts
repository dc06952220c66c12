import { fileURLToPath } from 'node:url';
import { commandLineOf } from '@repo/testkit/server';

export const main = fileURLToPath(new URL('../../server/dist/main.js', import.meta.url));

export const { migrate, runCommand } = commandLineOf({ script: main });
