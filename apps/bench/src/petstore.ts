import { fileURLToPath } from 'node:url';
import { commandLineOf } from '@petstore-platform/testkit/server';

export const main = fileURLToPath(import.meta.resolve('@petstore/server/bin'));

export const { migrate } = commandLineOf({ script: main });
