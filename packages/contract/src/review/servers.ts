import type { Impact } from './finding.ts';
import type { Operation } from './operations.ts';
import type { Place } from './source.ts';

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

function serversOf({ place, item, root }: Operation): Map<string, Place> {
  const servers = [place, item, root].map((owner) => owner.at('servers')).find(({ exists }) => exists);
  return new Map((servers?.items() ?? []).map((server) => [String(server.value?.url).replace(/\/$/, ''), server]));
}

function compareServer(old: Place, now: Place): ServerChange[] {
  const changes: ServerChange[] = [];
  const [was, is] = [old.value['x-environment'], now.value['x-environment']];
  if (was !== is) {
    const place = now.at('x-environment').exists ? now.at('x-environment') : now;
    const message = was
      ? `The environment \`${was}\` is now ${is ? `called \`${is}\`` : 'gone'}.`
      : `The environment \`${is}\` was added.`;
    changes.push({
      impact: was ? 'major' : 'minor',
      rule: `server-environment-${was ? 'changed' : 'added'}`,
      place,
      message,
    });
  }
  for (const [name, variable] of old.at('variables').entries()) {
    const other = now.at('variables', name);
    const subject = `The server variable \`${name}\``;
    if (!other.exists) {
      changes.push({
        impact: 'major',
        rule: 'server-variable-removed',
        place: variable,
        message: `${subject} was removed.`,
      });
      continue;
    }
    if (variable.value.default !== other.value.default) {
      changes.push({
        impact: 'major',
        rule: 'server-variable-default-changed',
        place: other,
        message: `${subject} is \`${other.value.default}\` when left out; it was \`${variable.value.default}\`.`,
      });
    }
    const [before, after] = [new Set<string>(variable.value.enum), new Set<string>(other.value.enum)];
    const lost = after.size === 0 ? [] : before.size === 0 ? ['others'] : [...before.difference(after)];
    const gained = before.size === 0 ? [] : after.size === 0 ? ['others'] : [...after.difference(before)];
    if (lost.length > 0) {
      changes.push({
        impact: 'major',
        rule: 'server-variable-value-removed',
        place: other,
        message: `${subject} lost ${lost.join(', ')}.`,
      });
    }
    if (gained.length > 0) {
      changes.push({
        impact: 'minor',
        rule: 'server-variable-value-added',
        place: other,
        message: `${subject} gained ${gained.join(', ')}.`,
      });
    }
  }
  return changes;
}
