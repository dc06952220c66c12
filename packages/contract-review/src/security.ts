import { Place } from '@petstore-platform/openapi';
import { stringify } from 'safe-stable-stringify';
import { type Finding, finding } from './finding.ts';
import { written } from './version.ts';
import { code, word } from './words.ts';

/** Compares the security requirements of an operation. Credentials that were sufficient must remain so. */
export function* compareSecurity(base: Place, head: Place): Generator<Finding> {
  const [before, after] = [base, head].map((operation) => {
    const own = operation.at('security');
    return own.exists ? own : operation.source.root.at('security');
  }) as [Place, Place];
  const [old, now] = [alternativesIn(before), alternativesIn(after)];
  const place = [after, before].find(({ exists }) => exists) ?? head;
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
    const rule = parts.size === 0 ? 'removed' : 'alternative-added';
    yield finding(`security-${rule}`, 'compatible', place, `${text} is now sufficient.`, text);
  }
}

const includes = (all: ReadonlySet<string>, some: ReadonlySet<string>) => [...some].every((one) => all.has(one));

/** The ways to authenticate, each as a text such as `` `key` and `oauth` with read ``, and as the schemes and scopes to send. */
function alternativesIn(security: Place) {
  const alternatives = security.items().map((item) => {
    const credentials = item.entries().map(([name, scopes]) => {
      const [scheme, all] = [schemeOf(item, name), [...scopes.values()]];
      const text = `${code(name)}${all.length > 0 ? ` with ${all.map(word).join(', ')}` : ''}`;
      return { text, parts: [scheme, ...all.map((scope) => `${scheme} ${scope}`)] };
    });
    const text = credentials.map((one) => one.text).join(' and ') || 'a call without credentials';
    return { text, parts: new Set(credentials.flatMap(({ parts }) => parts)) };
  });
  // Without requirements, no credentials are needed.
  return alternatives.length > 0 ? alternatives : [{ text: 'a call without credentials', parts: new Set<string>() }];
}

/** A security scheme as JSON, without its name and documentation. */
function schemeOf(requirement: Place, name: string): string {
  const component = requirement.source.root.at('components', 'securitySchemes', name);
  // OpenAPI 3.2 allows the URI of a scheme in place of its name.
  const { source, file } = written(requirement);
  const scheme = component.exists ? component.follow() : new Place(source, file, { $ref: name }).targetIfAny;
  const value = scheme?.value ?? name;
  const isSilent = (key: string) => /^(description|scopes|refreshUrl|deprecated|oauth2MetadataUrl|x-.*)$/.test(key);
  const text = `${stringify(value, (key, part) => (isSilent(key) ? undefined : part))}`;
  return value.type === 'http' || value.in === 'header' ? text.toLowerCase() : text;
}
