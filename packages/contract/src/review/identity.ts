import type { Note } from './changes.ts';
import { LEVELS, type Operation, stabilityOf } from './operations.ts';
import { compareDeprecation } from './schema/parts.ts';
import { canonical, Shape } from './schema/shape.ts';

/** What an operation is called, where it is, and how long it stays. */
export function compareIdentity(old: Operation, now: Operation, isCallback: boolean, note: Note): void {
  const [before, after] = [old.place.value, now.place.value];
  const at = (key: string) => (now.place.at(key).exists ? now.place : old.place).at(key);
  const [oldId, newId] = [before.operationId, after.operationId];
  if (oldId !== newId) {
    const verb = oldId === undefined ? 'added' : newId === undefined ? 'removed' : 'changed';
    const message =
      verb === 'changed'
        ? `\`${oldId}\` is now called \`${newId}\`: the SDK's method has another name.`
        : `The operationId \`${newId ?? oldId}\` was ${verb}.`;
    note(verb === 'added' ? 'minor' : 'major', `operation-id-${verb}`, at('operationId'), message);
  }
  if (isCallback && old.path !== now.path) {
    // The client says in its request where it wants to be called.
    const message = `The callback \`${now.name}\` is called at \`${now.path}\`; it was at \`${old.path}\`.`;
    note('major', 'callback-expression-changed', now.item, message);
  } else {
    const names = (path: string) => [...path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => name);
    for (const [index, name] of names(old.path).entries()) {
      const other = names(now.path)[index];
      const message = `The path parameter \`${name}\` is now called \`${other}\`: the SDK's argument has another name.`;
      if (name !== other) note('major', 'path-parameter-renamed', now.item, message);
    }
  }
  for (const { rule, place } of compareDeprecation(new Shape([old.place]), new Shape([now.place]))) {
    const sunset = after['x-sunset'] ? ` It goes on ${after['x-sunset']}.` : '';
    const message = `\`${now.name}\` is ${rule === 'deprecated' ? `deprecated.${sunset}` : 'no longer deprecated.'}`;
    note('minor', `operation-${rule}`, place, message);
  }
  for (const key of ['x-deprecated-at', 'x-sunset', 'x-replaced-by']) {
    if (!before.deprecated || !after.deprecated || canonical(before[key]) === canonical(after[key])) continue;
    note('patch', `${key.slice('x-'.length)}-changed`, at(key), `\`${key}\` of \`${now.name}\` was changed.`);
  }
  const [stable, unstable] = [stabilityOf(old), stabilityOf(now)];
  if (stable !== unstable) {
    const verb = unstable < stable ? 'decreased' : 'increased';
    const message = `\`${now.name}\` is ${LEVELS[unstable]}; it was ${LEVELS[stable]}.`;
    note(verb === 'decreased' ? 'major' : 'minor', `stability-${verb}`, at('x-stability'), message);
  }
}
