import type { Finding } from './finding.ts';
import type { Place } from './source.ts';

/** A scheme and the scopes it takes. */
interface Credential {
  name: string;
  /** What the scheme does, without what it is called or how it is described. */
  scheme: string;
  scopes: string[];
}

/** Alternative ways to authenticate; each needs all of its credentials. */
type Alternative = Credential[];

/**
 * What an operation asks of its callers, its own or the document's. A credential that was enough must stay enough.
 */
export function compareSecurity(base: Place, head: Place): Finding[] {
  const [old, now] = [requirementsOf(base), requirementsOf(head)];
  const place = now.place ?? old.place ?? head;
  const findings: Finding[] = [];
  for (const alternative of old.alternatives) {
    if (now.alternatives.some((other) => isEnough(alternative, other))) continue;
    const rule = lossOf(alternative, now.alternatives);
    const message =
      alternative.length === 0
        ? `A call needs ${words(now.alternatives)}; it needed no credentials.`
        : `${words([alternative])} is no longer enough: a call needs ${words(now.alternatives)}.`;
    findings.push({ rule, effect: 'narrower', place, message: message.charAt(0).toUpperCase() + message.slice(1) });
  }
  for (const alternative of now.alternatives) {
    if (old.alternatives.some((other) => isEnough(alternative, other))) continue;
    // A change that locks callers out is told above; that it lets others in is the same change.
    if (findings.length > 0) continue;
    findings.push(
      alternative.length === 0
        ? {
            rule: 'security-removed',
            effect: 'wider',
            place,
            message: 'Anyone may call: no credentials are needed any more.',
          }
        : {
            rule: 'security-alternative-added',
            effect: 'wider',
            place,
            message: `${words([alternative])} is enough, too.`,
          },
    );
  }
  return findings;
}

function requirementsOf(operation: Place): { place: Place | undefined; alternatives: Alternative[] } {
  const root = operation.source.root;
  const place = [operation.at('security'), root.at('security')].find(({ exists }) => exists);
  const alternatives = (place?.items() ?? []).map((item) =>
    item.entries().map(([name, scopes]) => ({ name, scheme: schemeOf(root, name), scopes: scopes.value ?? [] })),
  );
  // No requirement at all is one that everybody meets.
  return { place, alternatives: alternatives.length > 0 ? alternatives : [[]] };
}

function schemeOf(root: Place, name: string): string {
  const { value } = root.at('components', 'securitySchemes', name).follow();
  if (value === undefined) return name;
  const flows = Object.entries<Record<string, string>>(value.flows ?? {}).map(
    ([flow, { authorizationUrl, tokenUrl }]) => [flow, authorizationUrl, tokenUrl],
  );
  const header = value.type === 'apiKey' && value.in === 'header' ? value.name?.toLowerCase() : value.name;
  return JSON.stringify([value.type, value.scheme?.toLowerCase(), value.in, header, value.openIdConnectUrl, flows]);
}

/** Whether a caller with the credentials of `held` meets `needed`. */
function isEnough(held: Alternative, needed: Alternative): boolean {
  return needed.every((credential) =>
    held.some(
      ({ scheme, scopes }) =>
        scheme === credential.scheme && credential.scopes.every((scope) => scopes.includes(scope)),
    ),
  );
}

function lossOf(lost: Alternative, now: Alternative[]): string {
  if (lost.length === 0) return 'security-added';
  const same = (a: Alternative, b: Alternative, key: 'name' | 'scheme') =>
    a.length === b.length && a.every((credential) => b.some((other) => other[key] === credential[key]));
  if (now.some((other) => same(lost, other, 'scheme'))) return 'security-scope-added';
  if (now.some((other) => same(lost, other, 'name'))) return 'security-scheme-changed';
  if (now.some((other) => lost.every(({ scheme }) => other.some((credential) => credential.scheme === scheme)))) {
    return 'security-credential-added';
  }
  return 'security-alternative-removed';
}

function words(alternatives: Alternative[]): string {
  const one = (credentials: Alternative) =>
    credentials
      .map(({ name, scopes }) => `\`${name}\`${scopes.length > 0 ? ` with ${scopes.join(', ')}` : ''}`)
      .join(' and ');
  return alternatives.map((alternative) => one(alternative) || 'nothing').join(', or ');
}
