/** The files of other packages, which only `exports` opens, and tests. */
const OTHERS = '^(\\.\\./)+(.*/)?(apps|packages|src|dist|test)/';

/** The end of the name of any other folder: the expressions of the lint have no look-around. */
const NOT_GENERATED = Array.from('generated', (letter, index) => `[^${letter}]${'generated'.slice(index + 1)}`).join(
  '|',
);

/** The files may import no module that matches. Of several entries for a file, the last counts. */
const refuse = (files: string, regex: string, message: string) => ({
  files: [files],
  rules: { 'no-restricted-imports': ['error', { patterns: [{ regex: `${OTHERS}|${regex}`, message }] }] },
});

export default {
  plugins: ['import', 'typescript'],
  categories: { correctness: 'off' },
  ignorePatterns: ['**/generated/**', 'packages/{client,client-runtime}/test/types/*', 'test/slow/desk/**'],
  rules: {
    // These two need `--type-aware`, which knows the types of Node.js and of packages. Biome is the linter for all else.
    'typescript/no-floating-promises': 'error',
    // Biome finds `async` functions where a callback's promise is not awaited.
    'typescript/no-misused-promises': ['error', { checksVoidReturn: false }],
    // Types count, too, so none may be named by `import('…')`, which these rules do not see.
    'import/no-cycle': ['error', { ignoreTypes: false }],
    'typescript/consistent-type-imports': 'error',
  },
  overrides: [
    refuse('packages/*/src/**', '^@petstore/', 'A package knows no service, and only the exports of other packages.'),
    refuse(
      'packages/{kysely-pipeline,openapi-validation,quota}/src/**',
      '^@petstore',
      'A part is used without the rest: it knows nothing of ours.',
    ),
    // The runtime knows no service: everything generated arrives as a value.
    refuse(
      'packages/server-runtime/src/**',
      '^@petstore/|/generated/|^@petstore-platform/(?:testkit|openapi$|contract|client)',
      'The runtime knows no service, and none of the tools.',
    ),
    // A change of the inside breaks no test but those of the functions that it changes.
    refuse(
      'packages/server-runtime/test/**',
      '^\\.\\./src/',
      'Only test/unit/ knows the inside: test what the package exports.',
    ),
    { files: ['packages/server-runtime/test/unit/**'], rules: { 'no-restricted-imports': 'off' } },
    refuse(
      'apps/*/src/**',
      '^@petstore/|^@petstore-platform/(server-runtime/(testing|tools)|service/testing)',
      'A service uses what the runtime exports for services.',
    ),
    refuse(
      'apps/*/src/*/**',
      `^@petstore/|^@petstore-platform/server-runtime/|^\\.\\./(service|main|migrations)\\.|(${NOT_GENERATED})/operations\\.`,
      "A resource knows neither the service, which joins the resources, nor another one's handlers, only its types and JSON.",
    ),
    refuse(
      'apps/{bench,proof}/src/**',
      '^@petstore/server|^@petstore-platform/server-runtime',
      'Measure and attack the server as its users do: as a process.',
    ),
  ],
};
