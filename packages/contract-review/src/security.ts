import { Place, paired, pairedEntries } from '@petstore-platform/openapi';
import { stringify } from 'safe-stable-stringify';
import { describe } from './describe.ts';
import { compareEntry, type Finding, finding } from './finding.ts';
import { compareWhole } from './rest.ts';
import { written } from './version.ts';
import { code, word } from './words.ts';

/** Compares the security requirements of an operation. Credentials that were sufficient must remain so. */
export function* compareSecurity(base: Place, head: Place): Generator<Finding> {
  const [before, after] = [base, head].map((operation) => {
    const security = operation.at('security');
    return security.exists ? security : operation.source.root.at('security');
  }) as [Place, Place];
  const [old, now] = [alternativesIn(before), alternativesIn(after)];
  const place = [after, before].find(({ exists }) => exists) ?? head;
  yield* compareFlows(old, now);
  const lost = old.filter(({ parts }) => !now.some((other) => includes(parts, other.parts)));
  for (const { text, parts } of lost) {
    const isKnown = now.some((other) => other.text === text);
    const rule = parts.size === 0 ? 'added' : isKnown ? 'scheme-changed' : 'alternative-removed';
    const loss = isKnown ? 'works in another way' : 'is no longer sufficient';
    const needs = now.map((other) => other.text).join(', or ');
    yield finding(`security-${rule}`, 'changed', place, `${text} ${loss}: a call needs ${needs}.`, text);
  }
  // The breaking change that is reported above includes any new alternative.
  if (lost.length > 0) return;
  for (const { text, parts } of now) {
    if (old.some((other) => includes(parts, other.parts))) continue;
    const isPublic = parts.size === 0;
    const message = isPublic ? 'It is public now: calls need no credentials.' : `${text} is now sufficient.`;
    yield finding(`security-${isPublic ? 'removed' : 'alternative-added'}`, 'compatible', place, message, text);
  }
}

type Alternative = ReturnType<typeof alternativesIn>[number];

/** Compares what the flows of kept schemes of OAuth 2 offer to an operation: refreshed tokens, and the scopes that it requires. */
function* compareFlows(before: readonly Alternative[], after: readonly Alternative[]): Generator<Finding> {
  const schemesOf = (all: readonly Alternative[]) => new Map(all.flatMap(({ schemes }) => [...schemes]));
  const required = new Set(after.flatMap(({ parts }) => [...parts]));
  for (const [scheme, was, is] of paired(schemesOf(before), schemesOf(after)))
    for (const [flow, old, now] of was && is ? pairedEntries(was.at('flows'), is.at('flows')) : []) {
      if (!old || !now) continue;
      const [url, newUrl] = [old.at('refreshUrl'), now.at('refreshUrl')];
      yield* compareEntry('security-refresh-url', `The \`refreshUrl\` of ${word(flow)}`, url, newUrl);
      for (const [scope, one, other] of pairedEntries(old.at('scopes'), now.at('scopes')))
        if (one && !other && required.has(`${scheme} ${scope}`)) {
          const message = `${word(flow)} no longer offers the scope ${code(scope)}, which calls need.`;
          yield finding('security-scope-removed', 'changed', one, message);
        }
    }
}

/** Compares what a scheme takes, and the documentation of its scopes. Those that operations require are compared with these. */
export const compareScheme = (base: Place, head: Place): Finding[] => [
  ...compareEntry('token-kind', `\`x-token\` of ${describe(head)}`, base.at('x-token'), head.at('x-token'), 'changed'),
  ...pairedEntries(base.at('flows'), head.at('flows')).flatMap(([, old, now]) =>
    old && now ? compareWhole('flow', 'scopes', [old], [now], true) : [],
  ),
];

const includes = (all: ReadonlySet<string>, some: ReadonlySet<string>) => [...some].every((one) => all.has(one));

/**
 * The ways to authenticate, each as a text such as `` `key` and `oauth` with read ``, as the schemes and scopes to send, and with the
 * places of its schemes.
 */
function alternativesIn(security: Place) {
  const items = security.items();
  // Without requirements, no credentials are needed, as by an empty one.
  return (items.length > 0 ? items : [security.at(0)]).map((item) => {
    const credentials = item.entries().map(([name, scopes]) => {
      const [place, all] = [schemeAt(item, name), [...scopes.values()]];
      const scheme = textOf(place?.value ?? name);
      const text = `${code(name)}${all.length > 0 ? ` with ${all.map(word).join(', ')}` : ''}`;
      return { text, scheme, place, parts: [scheme, ...all.map((scope) => `${scheme} ${scope}`)] };
    });
    return {
      text: credentials.map((one) => one.text).join(' and ') || 'a call without credentials',
      parts: new Set(credentials.flatMap(({ parts }) => parts)),
      schemes: credentials.flatMap(({ scheme, place }) => (place ? [[scheme, place] as const] : [])),
    };
  });
}

function schemeAt(requirement: Place, name: string): Place | undefined {
  const component = requirement.source.root.at('components', 'securitySchemes', name);
  // OpenAPI 3.2 allows the URI of a scheme in place of its name.
  const { source, file } = written(requirement);
  return component.exists ? component.follow() : new Place(source, file, { $ref: name }).targetIfAny;
}

/** A security scheme as JSON, without its name and documentation. */
// biome-ignore lint/suspicious/noExplicitAny: untyped YAML
function textOf(scheme: any): string {
  const isSilent = (key: string) => /^(description|scopes|refreshUrl|deprecated|oauth2MetadataUrl|x-.*)$/.test(key);
  const text = `${stringify(scheme, (key, part) => (isSilent(key) ? undefined : part))}`;
  return scheme.type === 'http' || scheme.in === 'header' ? text.toLowerCase() : text;
}
