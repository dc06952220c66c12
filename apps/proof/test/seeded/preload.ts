/** Preloaded into a server (`node --import`): seeds the fault named by `SEEDED_FAULT`. */
import { Server } from 'node:http';
import { registerHooks } from 'node:module';
import type { Socket } from 'node:net';
import { pathToFileURL } from 'node:url';

const faults = pathToFileURL(`${import.meta.dirname}/faults.ts`);

const HONEST = '...createHandlers(service, db, log)';

registerHooks({
  load(url, context, next) {
    const loaded = next(url, context);
    if (!url.endsWith('/packages/server-runtime/dist/app.js')) return loaded;
    const text = Buffer.from(loaded.source as Uint8Array).toString();
    if (!text.includes(HONEST)) throw new Error(`${url} has no ${HONEST}`);
    const seeded = text.replace(HONEST, HONEST.replace('create', 'seed(create').concat(')'));
    return { ...loaded, source: `import { seed } from '${faults}';\n${seeded}` };
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
