import type { Oas3Rule } from '@redocly/openapi-core';
import { lettersOf } from '../contract.ts';

/** Requires one spelling of a property name, because `categoryId` and `category_id` would be mistaken for each other. */
export const propertyNames: Oas3Rule = () => {
  const spellings = new Map<string, string>();
  return {
    SchemaProperties(properties: object, { location, report }) {
      for (const name of Object.keys(properties ?? {})) {
        const first = spellings.get(lettersOf(name)) ?? name;
        spellings.set(lettersOf(name), first);
        const message = `Use one spelling in the whole contract: \`${name}\` differs from \`${first}\` only in case or separators.`;
        if (first !== name) report({ message, location: location.child(name).key() });
      }
    },
  };
};
