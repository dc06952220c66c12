{
  "name": "{{package}}",
  "version": "0.0.0",
  "private": true,
  "description": "{{api}}: Fastify and Kysely on Postgres, routed by the contract.",
  "type": "module",
  "workspaces": ["client"],
  "contract": { "file": "{{contract}}", "server": "src/generated" },
  "engines": { "node": ">=22.18" },
  "scripts": {
    "prestart": "node $npm_execpath install --loglevel=error",
    "start": "service start",
    "predev": "node $npm_execpath install --loglevel=error",
    "dev": "service dev",
    "pretest": "node $npm_execpath install --loglevel=error",
    "test": "vitest run",
    "build": "tsc -p tsconfig.build.json && tsc -p client",
    "typecheck": "tsc && tsc -p client --noEmit",
    "generate": "contract generate",
    "lint": "contract lint",
    "review": "contract review",
    "tables": "service tables",
    "keys": "service keys",
    "check": "contract lint && contract generate --check && service tables --check && npm run typecheck && vitest run",
    "version-packages": "changeset version && contract generate && contract release"
  },
  "dependencies": {
    "@petstore-platform/server-runtime": "{{platform}}",
    "@petstore-platform/service": "{{platform}}",
    "kysely": "{{kysely}}"
  },
  "devDependencies": {
    "@changesets/cli": "{{cli}}",
    "@petstore-platform/contract": "{{platform}}",
    "@petstore-platform/local-postgres": "{{platform}}",
    "@petstore-platform/testkit": "{{platform}}",
    "@types/node": "{{node}}",
    "typescript": "{{typescript}}",
    "vitest": "{{vitest}}"
  }
}
