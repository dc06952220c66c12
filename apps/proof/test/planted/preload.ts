/** Preloaded into a server (`node --import`): plants the bug named by `PLANTED`. */
import { Server } from 'node:http';
import { registerHooks } from 'node:module';
import type { Socket } from 'node:net';
import { pathToFileURL } from 'node:url';

const bugs = pathToFileURL(`${import.meta.dirname}/bugs.ts`);

registerHooks({
  load(url, context, next) {
    if (!url.endsWith('/packages/server-runtime/dist/handlers.js')) return next(url, context);
    const source = `
      import { createHandlers as create } from '${url}?honest';
      import { plant } from '${bugs}';
      export const createHandlers = (...dependencies) => plant(create(...dependencies));`;
    return { format: 'module', shortCircuit: true, source };
  },
});

if (process.env.PLANTED === 'unguarded socket') {
  const { emit } = Server.prototype;
  Server.prototype.emit = function (this: Server, event: string, ...values: unknown[]) {
    const heard = Reflect.apply(emit, this, [event, ...values]);
    if (event === 'connect') (values[1] as Socket).removeAllListeners('error');
    return heard;
  };
}
