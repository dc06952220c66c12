import { type Finding, finding } from './finding.ts';
import type { Place } from './place.ts';

/** A security scheme with scopes. */
interface Credential {
  name: string;
  /** The scheme as JSON without name and description: one entry per OAuth flow, or one. */
  ways: string[];
  scopes: string[];
}

/** One way to authenticate, with all credentials that it needs. */
type Alternative = Credential[];

/** Compares the security requirements of an operation. Credentials that were sufficient must remain so. */
export function* compareSecurity(base: Place, head: Place): Generator<Finding> {
  const [old, now] = [requirementsOf(base), requirementsOf(head)];
  const place = now.place ?? old.place ?? head;
  const needs = (alternatives: Alternative[]) => alternatives.map((one) => words(one)).join(', or ');
  const lost = old.alternatives.filter((held) => !now.alternatives.some((other) => isEnough(held, other)));
  for (const held of lost) {
    const rule = lossOf(held, now.alternatives);
    const loss = rule === 'scheme-changed' ? 'works in another way' : 'is no longer sufficient';
    const message = `${words(held)} ${loss}: a call needs ${needs(now.alternatives)}.`;
    yield finding(`security-${rule}`, 'changed', place, message);
  }
  // A breaking change is reported above; a new alternative is part of it.
  if (lost.length > 0) return;
  for (const needed of now.alternatives) {
    if (old.alternatives.some((other) => isEnough(needed, other))) continue;
    const isKnown = old.alternatives.some((other) => words(other) === words(needed));
    const rule = needed.length === 0 ? 'removed' : isKnown ? 'scheme-flow-added' : 'alternative-added';
    const message = `${words(needed)} ${isKnown ? 'has a new OAuth flow' : 'is now sufficient'}.`;
    yield finding(`security-${rule}`, 'compatible', place, message);
  }
}

function requirementsOf(operation: Place): { place: Place | undefined; alternatives: Alternative[] } {
  const root = operation.source.root;
  const place = [operation.at('security'), root.at('security')].find(({ exists }) => exists);
  const alternatives = (place?.items() ?? []).map((item) =>
    item.entries().map(([name, scopes]) => ({
      name,
      ways: waysOf(root, name),
      scopes: scopes.items().map(({ value }) => String(value)),
    })),
  );
  // Without requirements, no credentials are needed.
  return { place, alternatives: alternatives.length > 0 ? alternatives : [[]] };
}

function waysOf(root: Place, name: string): string[] {
  const { value } = root.at('components', 'securitySchemes', name).follow();
  if (value === undefined) return [name];
  const flows = Object.entries<Record<string, string>>(value.flows ?? {}).map(
    ([flow, { authorizationUrl, tokenUrl }]) => JSON.stringify([flow, authorizationUrl, tokenUrl]),
  );
  if (flows.length > 0) return flows;
  const lower = (text: unknown) => String(text).toLowerCase();
  const header = value.type === 'apiKey' && value.in === 'header' ? lower(value.name) : value.name;
  return [JSON.stringify([value.type, lower(value.scheme), value.in, header, value.openIdConnectUrl])];
}

/** Whether the credentials of `held` satisfy `needed`. */
function isEnough(held: Alternative, needed: Alternative): boolean {
  return needed.every((credential) =>
    held.some((own) => isTaken(own, credential) && credential.scopes.every((scope) => own.scopes.includes(scope))),
  );
}

/** Whether every flow of the held credential is accepted. */
const isTaken = (held: Credential, needed: Credential) => held.ways.every((way) => needed.ways.includes(way));

function lossOf(lost: Alternative, now: Alternative[]): string {
  if (lost.length === 0) return 'added';
  const allIn = (other: Alternative, is: (held: Credential, needed: Credential) => boolean) =>
    lost.every((credential) => other.some((needed) => is(credential, needed)));
  const alike = now.filter((other) => other.length === lost.length);
  if (alike.some((other) => allIn(other, isTaken))) return 'scope-added';
  if (alike.some((other) => allIn(other, (a, b) => a.name === b.name))) return 'scheme-changed';
  return now.some((other) => allIn(other, isTaken)) ? 'credential-added' : 'alternative-removed';
}

/** `` `key` and `oauth` with read, write `` */
function words(credentials: Alternative): string {
  const all = credentials.map(
    ({ name, scopes }) => `\`${name}\`${scopes.length > 0 ? ` with ${scopes.join(', ')}` : ''}`,
  );
  return all.join(' and ') || 'a call without credentials';
}
