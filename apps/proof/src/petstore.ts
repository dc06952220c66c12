import { fileURLToPath } from 'node:url';
import { commandLineOf, type Program } from '@repo/testkit/server';

/** The built service that is proven. */
export const program: Program = { script: fileURLToPath(new URL('../../server/dist/main.js', import.meta.url)) };

export const { createKey, runCommand, serve } = commandLineOf(program);
