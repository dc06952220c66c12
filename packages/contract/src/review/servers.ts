import type { Note } from './changes.ts';
import type { Finding } from './finding.ts';
import { type Operation, paired } from './operations.ts';
import type { Place } from './place.ts';
import { wordsOf } from './words.ts';

/** Where an operation is served: its own servers, its path's, or the document's. The SDK knows them by environment. */
export function compareServers(before: Operation, after: Operation, note: Note): void {
  for (const [url, old, now] of paired(serversOf(before), serversOf(after))) {
    if (!now) note('major', 'server-removed', old as Place, `The server ${url} was removed.`);
    else if (!old) note('minor', 'server-added', now, `The server ${url} was added.`);
    else compareServer(old, now, note);
  }
}

/** By URL. Without any, the server is `/` (OpenAPI 3.1, OpenAPI Object). */
function serversOf({ place, item, root }: Operation): Map<string, Place> {
  const servers = [place, item, root].map((owner) => owner.at('servers')).find(({ exists }) => exists);
  const byUrl = new Map((servers?.items() ?? []).map((server) => [urlOf(server), server]));
  return byUrl.size > 0 ? byUrl : new Map([['/', root.at('servers')]]);
}

const urlOf = ({ value }: Place) => String(value?.url).replace(/\/$/, '') || '/';

/** The words about servers that both versions have. */
export function serverWords(old: Place, now: Place): Finding[] {
  return now.items().flatMap((server) => {
    const other = old.items().find((one) => urlOf(one) === urlOf(server));
    if (other === undefined) return [];
    const variables = server.at('variables').entries();
    return [
      ...wordsOf([other], [server]),
      ...variables.flatMap(([name, variable]) => wordsOf([other.at('variables', name)], [variable])),
    ];
  });
}

function compareServer(old: Place, now: Place, note: Note): void {
  const [was, is] = [old.value?.['x-environment'], now.value?.['x-environment']];
  const place = now.at('x-environment').exists ? now.at('x-environment') : now;
  if (!was && is) note('minor', 'server-environment-added', place, `The environment \`${is}\` was added.`);
  else if (was !== is) {
    const words = is ? `called \`${is}\`` : 'gone';
    note('major', 'server-environment-changed', place, `The environment \`${was}\` is now ${words}.`);
  }
  for (const [name, variable] of old.at('variables').entries()) {
    const other = now.at('variables', name);
    const [from, to] = [variable.value, other.value];
    const told = (isBreaking: boolean, rule: string, words: string) =>
      note(
        isBreaking ? 'major' : 'minor',
        `server-variable-${rule}`,
        other.exists ? other : variable,
        `The server variable \`${name}\` ${words}.`,
      );
    if (!other.exists) {
      told(true, 'removed', 'was removed');
      continue;
    }
    if (from.default !== to.default)
      told(true, 'default-changed', `is \`${to.default}\` when left out; it was \`${from.default}\``);
    const [before, after] = [new Set<string>(from.enum), new Set<string>(to.enum)];
    const lost = after.size === 0 ? [] : before.size === 0 ? ['others'] : [...before.difference(after)];
    const gained = before.size === 0 ? [] : after.size === 0 ? ['others'] : [...after.difference(before)];
    if (lost.length > 0) told(true, 'value-removed', `lost ${lost.join(', ')}`);
    if (gained.length > 0) told(false, 'value-added', `gained ${gained.join(', ')}`);
  }
}
