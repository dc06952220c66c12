import type { Finding, Impact } from './finding.ts';
import type { Operation } from './operations.ts';
import type { Place } from './place.ts';
import { wordsOf } from './words.ts';

interface ServerChange {
  impact: Impact;
  rule: string;
  place: Place;
  message: string;
}

/** Where an operation is served: its own servers, its path's, or the document's. The SDK knows them by environment. */
export function compareServers(old: Operation, now: Operation): ServerChange[] {
  const [before, after] = [serversOf(old), serversOf(now)];
  const changes: ServerChange[] = [];
  for (const [url, place] of before) {
    const other = after.get(url);
    if (other) changes.push(...compareServer(place, other));
    else changes.push({ impact: 'major', rule: 'server-removed', place, message: `The server ${url} was removed.` });
  }
  for (const [url, place] of after) {
    if (!before.has(url))
      changes.push({ impact: 'minor', rule: 'server-added', place, message: `The server ${url} was added.` });
  }
  return changes;
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

function compareServer(old: Place, now: Place): ServerChange[] {
  const changes: ServerChange[] = [];
  const note = (impact: Impact, rule: string, place: Place, message: string) =>
    changes.push({ impact, rule: `server-${rule}`, place, message });
  const [was, is] = [old.value?.['x-environment'], now.value?.['x-environment']];
  if (was !== is) {
    const place = now.at('x-environment').exists ? now.at('x-environment') : now;
    if (was)
      note(
        'major',
        'environment-changed',
        place,
        `The environment \`${was}\` is now ${is ? `called \`${is}\`` : 'gone'}.`,
      );
    else note('minor', 'environment-added', place, `The environment \`${is}\` was added.`);
  }
  for (const [name, variable] of old.at('variables').entries()) {
    const other = now.at('variables', name);
    const subject = `The server variable \`${name}\``;
    if (!other.exists) {
      note('major', 'variable-removed', variable, `${subject} was removed.`);
      continue;
    }
    const [from, to] = [variable.value.default, other.value.default];
    if (from !== to)
      note('major', 'variable-default-changed', other, `${subject} is \`${to}\` when left out; it was \`${from}\`.`);
    const [before, after] = [new Set<string>(variable.value.enum), new Set<string>(other.value.enum)];
    const lost = after.size === 0 ? [] : before.size === 0 ? ['others'] : [...before.difference(after)];
    const gained = before.size === 0 ? [] : after.size === 0 ? ['others'] : [...after.difference(before)];
    if (lost.length > 0) note('major', 'variable-value-removed', other, `${subject} lost ${lost.join(', ')}.`);
    if (gained.length > 0) note('minor', 'variable-value-added', other, `${subject} gained ${gained.join(', ')}.`);
  }
  return changes;
}
