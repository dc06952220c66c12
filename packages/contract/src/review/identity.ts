import { type Finding, finding, KEPT, told } from './finding.ts';
import { compareFlag } from './flags.ts';
import { LEVELS, type Operation, pathParametersOf, stabilityOf } from './operations.ts';

/** What an operation is called, where it is, and how long it stays. */
export function* compareIdentity(old: Operation, now: Operation, isCallback: boolean): Generator<Finding> {
  const [before, after] = [old.place, now.place];
  const name = `\`${now.name}\``;
  const [oldId, newId] = [before.at('operationId'), after.at('operationId')];
  const renamed = `\`${oldId.value}\` is now called \`${newId.value}\`: the SDK's method has another name.`;
  const subject = `The operationId \`${oldId.value ?? newId.value}\``;
  yield* told('operation-id', subject, oldId, newId, KEPT, oldId.exists && newId.exists ? renamed : undefined);
  if (isCallback && old.path !== now.path) {
    // The client says in its request where it wants to be called.
    const message = `The callback ${name} is called at \`${now.path}\`; it was at \`${old.path}\`.`;
    yield finding('callback-expression-changed', 'changed', now.item, message);
  } else {
    const names = pathParametersOf(now.path);
    for (const [index, parameter] of pathParametersOf(old.path).entries()) {
      const message = `The path parameter \`${parameter}\` is now called \`${names[index]}\`: the SDK's argument has another name.`;
      if (parameter !== names[index]) yield finding('path-parameter-renamed', 'changed', now.item, message);
    }
  }
  yield* compareFlag('deprecated', [before], [after], 'operation-');
  for (const key of ['x-deprecated-at', 'x-sunset', 'x-replaced-by']) {
    if (!before.value.deprecated || !after.value.deprecated) continue;
    const words = { added: 'words', removed: 'words', changed: 'words' } as const;
    yield* told(key.slice('x-'.length), `\`${key}\` of ${name}`, before.at(key), after.at(key), words);
  }
  const [was, is] = [stabilityOf(old), stabilityOf(now)];
  const [verb, effect] = is < was ? (['decreased', 'changed'] as const) : (['increased', 'compatible'] as const);
  const at = [after, before].map((place) => place.at('x-stability')).find(({ exists }) => exists);
  if (at && was !== is)
    yield finding(`stability-${verb}`, effect, at, `${name} is ${LEVELS[is]}; it was ${LEVELS[was]}.`);
}
