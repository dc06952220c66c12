/** The version in package.json. */
export const version = '0.0.0';
