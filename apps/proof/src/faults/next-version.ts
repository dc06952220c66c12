/** Preloaded into a command of the petstore (`node --import`): gives it a further migration, as its next version would have. */
import { registerHooks } from 'node:module';

registerHooks({
  load(url, context, next) {
    if (!url.endsWith('/apps/server/dist/migrations.js')) return next(url, context);
    const source = `
      import { migrations as earlier } from '${url}?earlier';
      const pets = (db) => db.schema.alterTable('pets');
      export const migrations = {
        ...earlier,
        'z-note': {
          up: (db) => pets(db).addColumn('note', 'text').execute(),
          down: (db) => pets(db).dropColumn('note').execute(),
        },
      };`;
    return { format: 'module', shortCircuit: true, source };
  },
});
