/** The version in package.json, written by `pnpm version-packages`. */
export const version = '0.0.0';
