const LONGEST_NAME = 30;

/** The reason why a service cannot have a name, for a sentence that begins with it. Undefined if it can. */
export function misnamed(name: string): string | undefined {
  if (!/^[a-z]/.test(name)) return 'must begin with a lower-case letter';
  if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name)) return 'may have lower-case letters, digits and single hyphens only';
  if (name.length > LONGEST_NAME) return `is longer than ${LONGEST_NAME} characters`;
  if (/^(pg-.*|public|none)$/.test(name)) return 'is reserved by Postgres, which has a role of this name';
  const variable = camelCase(name);
  try {
    // The name must be a valid constant, because samples declare one.
    new Function(`'use strict'; const createClient = 0, await = 0; { const ${variable} = 0; }`);
  } catch {
    return 'is reserved by JavaScript, and the SDK has a variable of this name';
  }
  return /^(await|create-client)$/.test(name) ? 'is a name that the SDK uses itself' : undefined;
}

/** `book-shop` → `bookShop` */
export const camelCase = (name: string) => name.replace(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

/** `bookShop` → `BookShop` */
export const capitalized = (name: string) => `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
