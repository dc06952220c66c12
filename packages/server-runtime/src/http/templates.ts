import { maxHeaderSize } from 'node:http';
import findMyWay from 'find-my-way';

/** A path template of a contract, in the words of the router. */
export interface Template {
  /** The route: a neutral name for each segment with parameters, and `::` for a colon. */
  url: string;
  /** The segments of which a parameter is only a part. The router cannot compare them by itself. */
  constraints?: { template: Shape };
  /** The values of the parameters by their own names. @param params - those of the route */
  valuesOf(params: unknown, url: string): Record<string, string>;
}

interface Shape {
  /** Matches the canonical form of a path, and captures the values. */
  pattern: RegExp;
  /** The number of literal characters. Of the templates that match, that with most of them is meant. */
  literals: number;
}

/** Reads a template such as `/users/{user-id}/cards:search` or `/points/{lat},{lng}`. @param id - makes the names of its route unique */
export function readTemplate(path: string, id = ''): Template {
  const segments = path.split('/').map((segment) => segment.split(/\{([^{}]*)\}/));
  const names = segments.flatMap((parts) => parts.filter((_, index) => index % 2 === 1));
  const isPlain = segments.every(([literal = '', ...rest]) =>
    rest.length === 0 ? isStatic(literal) : literal === '' && rest.length === 2 && rest[1] === '',
  );
  const url = segments.map(([literal = '', ...rest], index) =>
    rest.length === 0 && isStatic(literal) ? routeText(literal) : `:p${index}${isPlain ? '' : `_${id}`}`,
  );
  if (isPlain) {
    const routed = url.flatMap((segment) => (/^:(?!:)/.test(segment) ? segment.slice(1) : []));
    return {
      url: url.join('/'),
      valuesOf: (params) => {
        const values: Record<string, string> = {};
        for (let index = 0; index < names.length; index++)
          values[`${names[index]}`] = (params as Record<string, string>)[`${routed[index]}`] ?? '';
        return values;
      },
    };
  }
  // A test counts that it takes linear time: a literal ends each parameter at its first occurrence.
  // oxlint-disable-next-line no-restricted-globals
  const pattern = new RegExp(`^${segments.map(patternOf).join('/')}$`);
  const literals = canonical(path.replace(/\{[^{}]*\}/g, '')).length;
  return {
    url: url.join('/'),
    constraints: { template: { pattern, literals } },
    valuesOf: (_, url) => {
      const [, ...values] = pattern.exec(canonical(pathOf(url))) ?? [];
      return Object.fromEntries(names.map((name, index) => [name, decodeURIComponent(values[index] ?? '')]));
    },
  };
}

/** A literal as the router compares it, after it has decoded the path. */
export const routeText = (literal: string) => decodeURI(canonical(literal)).replaceAll(':', '::');

/** Whether the router compares a literal rightly. It has a wildcard, and leaves reserved characters encoded. */
const isStatic = (literal: string) => !/[*%]/.test(decodeURI(canonical(literal)));

/**
 * A segment as an expression. A parameter takes at least one character, and ends at the first text that follows it in the template; the
 * last one of a segment takes what is left. So the work of matching grows with the path alone.
 */
function patternOf(parts: string[]): string {
  return parts
    .map((part, index) => {
      if (index % 2 === 0) return escaped(canonical(part));
      const next = index < parts.length - 2 && escaped(canonical(parts[index + 1] ?? ''));
      return next ? `(${CHARACTER}(?:(?!${next})${CHARACTER})*)` : `(${CHARACTER}+)`;
    })
    .join('');
}

/** A character of a segment in canonical form. */
const CHARACTER = '(?:%..|[^/%])';
const escaped = (text: string) => text.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&');

/**
 * A path or a part of it in one form: what need not be encoded is not, and anything else is, with capital letters (RFC 3986, section
 * 6.2.2). Characters with a meaning of their own, such as `:`, differ from their encoded form.
 */
function canonical(path: string): string {
  const encoded = path.toWellFormed().split(/(%[\da-f]{2})/i);
  return encoded
    .map((text, index) => {
      if (index % 2 === 0) return encodeURI(text);
      const character = String.fromCharCode(Number.parseInt(text.slice(1), 16));
      return /[\w.!~*'()-]/.test(character) ? character : text.toUpperCase();
    })
    .join('');
}

const pathOf = (url: string) => url.split(/[?#]/, 1)[0] ?? '';

/** Lets the router compare the templates of a route by their patterns. */
const strategy = {
  name: 'template',
  deriveConstraint: ({ url = '' }: { url?: string | undefined }) => url,
  storage() {
    const all: { shape: Shape; routes: number }[] = [];
    return {
      get(wanted: string | Shape) {
        if (typeof wanted !== 'string') return all.find(({ shape }) => shape === wanted)?.routes;
        const path = canonical(pathOf(wanted));
        return all.find(({ shape }) => shape.pattern.test(path))?.routes;
      },
      set(shape: Shape, routes: number) {
        all.push({ shape, routes });
        all.sort((one, other) => other.shape.literals - one.shape.literals);
      },
    };
  },
};

/** The options of a router of the API. Node.js limits the length of a path already. */
export const routerOptions = () => ({
  maxParamLength: maxHeaderSize,
  // The types of find-my-way have the handlers in a store. It keeps numbers there.
  constraints: { template: { ...strategy } as unknown as findMyWay.ConstraintStrategy<findMyWay.HTTPVersion.V1> },
});

/** Makes a router like that of the server. */
export function createRouter() {
  const router = findMyWay(routerOptions());
  return {
    on: router.on.bind(router),
    /** The route of a request. The router itself matches `/notes/` with an empty parameter. */
    find(method: string, url: string) {
      const route = router.find(method as findMyWay.HTTPMethod, url, { template: url } as never);
      return route && isComplete(route.params) ? route : null;
    },
  };
}

export function isComplete(params: unknown): boolean {
  // The rest of a path, for a wildcard, may be empty.
  for (const name in params as object)
    if (name !== '*' && (params as Record<string, unknown>)[name] === '') return false;
  return true;
}
