import type { Oas3Rule } from '@redocly/openapi-core';
import { closestMatch } from 'leven';
import { lettersOf } from '../contract.ts';

/** Our extensions by the types of the objects that have them, with the words for such an object. */
export const EXTENSIONS = {
  Root: ['the root', 'x-rate-limit-plans', 'x-error', 'x-error-codes', 'x-invalid', 'x-lint', 'x-read-only'],
  Server: ['a server', 'x-environment'],
  Operation: [
    'an operation',
    'x-stability',
    'x-deprecated-at',
    'x-sunset',
    'x-replaced-by',
    'x-not-idempotent',
    'x-unpaged',
    'x-error-codes',
    'x-max-body',
    'x-invalid',
  ],
  SecurityScheme: ['a security scheme', 'x-token'],
  Response: ['a response', 'x-error-codes'],
  Schema: ['a schema', 'x-extensible-enum', 'x-read-only'],
};

const NAMES = [...new Set(Object.values(EXTENSIONS).flatMap(([, ...names]) => names))];
/** Others have an `x-errors`, which no letters tell from a misspelt one. */
const LIKELY = NAMES.filter((name) => name !== 'x-error');
/** The number of letters that a misspelling may add, remove or replace. */
const MOST_LETTERS = 2;

/** The extension of ours that an unknown one stands for. Undefined for one of somebody else. */
const meantBy = (name: string) =>
  NAMES.find((ours) => lettersOf(ours) === lettersOf(name)) ??
  closestMatch(name, LIKELY, { maxDistance: MOST_LETTERS });

/** Requires that our extensions are spelled as the platform reads them, and stand where it does. */
export const extensions: Oas3Rule = () => ({
  any(node: unknown, { type, location, report }) {
    if (type.extensionsPrefix === undefined || Array.isArray(node)) return;
    const [, ...here] = EXTENSIONS[type.name as 'Root'] ?? [];
    for (const name of Object.keys(Object(node)).filter((key) => key.startsWith('x-') && !here.includes(key))) {
      const places = Object.values(EXTENSIONS).flatMap(([place, ...names]) => (names.includes(name) ? place : []));
      const meant = meantBy(name);
      const message =
        places.length > 0
          ? `Nothing reads \`${name}\` here. It belongs to ${places.join(' or ')}.`
          : meant && `Nothing reads \`${name}\`. Did you mean \`${meant}\`?`;
      if (message) report({ message, location: location.child(name).key() });
    }
  },
});
