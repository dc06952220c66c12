import { type Finding, finding } from './finding.ts';
import type { Place } from './source.ts';

/** A security scheme with scopes. */
interface Credential {
  name: string;
  /** The scheme as JSON without name and description: one entry per OAuth flow, or one. */
  ways: Set<string>;
  scopes: Set<unknown>;
}

/** One way to authenticate, with all credentials that it needs. */
type Alternative = Credential[];

/** Compares the security requirements of an operation. Credentials that were sufficient must remain so. */
export function* compareSecurity(base: Place, head: Place): Generator<Finding> {
  const [before, after] = [base, head].map((operation) => {
    const own = operation.at('security');
    return own.exists ? own : operation.source.root.at('security');
  }) as [Place, Place];
  const [old, now] = [alternativesIn(before), alternativesIn(after)];
  const place = [after, before].find(({ exists }) => exists) ?? head;
  const lost = old.filter((held) => !now.some((other) => isEnough(held, other)));
  for (const held of lost) {
    const isKnown = now.some((other) => words(other) === words(held));
    const rule = held.length === 0 ? 'added' : isKnown ? 'scheme-changed' : 'alternative-removed';
    const loss = isKnown ? 'works in another way' : 'is no longer sufficient';
    const message = `${words(held)} ${loss}: a call needs ${now.map(words).join(', or ')}.`;
    yield finding(`security-${rule}`, 'changed', place, message, words(held));
  }
  // A breaking change is reported above; a new alternative is part of it.
  if (lost.length > 0) return;
  for (const needed of now) {
    if (old.some((other) => isEnough(needed, other))) continue;
    const rule = needed.length === 0 ? 'removed' : 'alternative-added';
    const message = `${words(needed)} is now sufficient.`;
    yield finding(`security-${rule}`, 'compatible', place, message, words(needed));
  }
}

function alternativesIn(security: Place): Alternative[] {
  const { root } = security.source;
  const alternatives = security.items().map((item) => {
    return item.entries().map(([name, scopes]) => ({ name, ways: waysOf(root, name), scopes: scopes.values() }));
  });
  // Without requirements, no credentials are needed.
  return alternatives.length > 0 ? alternatives : [[]];
}

function waysOf(root: Place, name: string): Set<string> {
  const { value } = root.at('components', 'securitySchemes', name).follow();
  if (value === undefined) return new Set([name]);
  const flows = Object.entries<Place['value']>(value.flows ?? {}).map(([flow, urls]) =>
    JSON.stringify([flow, urls?.authorizationUrl, urls?.tokenUrl]),
  );
  if (flows.length > 0) return new Set(flows);
  const lower = (text: unknown) => String(text).toLowerCase();
  const header = value.type === 'apiKey' && value.in === 'header' ? lower(value.name) : value.name;
  return new Set([JSON.stringify([value.type, lower(value.scheme), value.in, header, value.openIdConnectUrl])]);
}

/** Whether the credentials of `held` satisfy `needed`: each of their flows is accepted. */
function isEnough(held: Alternative, needed: Alternative): boolean {
  return needed.every(({ ways, scopes }) => {
    return held.some((own) => own.ways.isSubsetOf(ways) && scopes.isSubsetOf(own.scopes));
  });
}

/** `` `key` and `oauth` with read, write `` */
function words(credentials: Alternative): string {
  const all = credentials.map(
    ({ name, scopes }) => `\`${name}\`${scopes.size > 0 ? ` with ${[...scopes].join(', ')}` : ''}`,
  );
  return all.join(' and ') || 'a call without credentials';
}
