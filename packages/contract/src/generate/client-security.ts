import type { Security } from '@petstore-platform/server-runtime/tools';
import type { Document } from '../contract.ts';
import { securityOf } from '../security.ts';
import type { Named } from './describe.ts';
import { exported } from './jsdoc.ts';
import { keyOf, quoted } from './values.ts';

/** The credentials of each operation, for an SDK with more than the platform's key. */
export function clientSecurity(document: Document, operations: Named[]): string {
  const root = securityOf(document, document.security);
  const rows = [...operations.map(({ name, security }) => [name, security] as const), ['', root] as const];
  const text = ([name, security]: readonly [string, Security]) =>
    `  ${keyOf(name)}: [${security.map(alternative).join(', ')}],\n`;
  return exported('The credentials that calls take.', `const security = {\n${rows.map(text).join('')}} as const;`);
}

const alternative = (all: Security[0]) =>
  `[${all.map(({ kind, in: place, name }) => `[${[kind, place, ...(name ? [name] : [])].map(quoted).join(', ')}]`).join(', ')}]`;
