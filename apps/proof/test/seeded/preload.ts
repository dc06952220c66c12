/** Preloaded into a server (`node --import`): seeds the fault named by `SEEDED_FAULT`. */
import { Server } from 'node:http';
import { registerHooks } from 'node:module';
import type { Socket } from 'node:net';
import { pathToFileURL } from 'node:url';

const faults = pathToFileURL(`${import.meta.dirname}/faults.ts`);

registerHooks({
  load(url, context, next) {
    if (!url.endsWith('/packages/server-runtime/dist/handlers.js')) return next(url, context);
    const source = `
      import { createHandlers as create } from '${url}?honest';
      import { seed } from '${faults}';
      export const createHandlers = (...dependencies) => seed(create(...dependencies));`;
    return { format: 'module', shortCircuit: true, source };
  },
});

if (process.env.SEEDED_FAULT === 'unguarded socket') {
  const { emit } = Server.prototype;
  Server.prototype.emit = function (this: Server, event: string, ...values: unknown[]) {
    const heard = Reflect.apply(emit, this, [event, ...values]);
    if (event === 'connect') (values[1] as Socket).removeAllListeners('error');
    return heard;
  };
}
