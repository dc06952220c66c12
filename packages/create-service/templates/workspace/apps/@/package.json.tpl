{
  "name": "{{package}}",
  "version": "0.0.0",
  "private": true,
  "description": "{{api}}: Fastify and Kysely on Postgres, routed by the contract.",
  "license": "{{license}}",
  "type": "module",
  "contract": {
    "file": "{{contract}}",
    "server": "src/generated"
  },
  "files": [
    "dist",
    "!dist/.tsbuildinfo"
  ],
  "engines": {
    "node": ">=22.14"
  },
  "bin": {
    "{{name}}-server": "./dist/main.js"
  },
  "scripts": {
    "build": "tsc -b tsconfig.build.json && node ../../packages/server-runtime/scripts/docs.ts",
    "typecheck": "tsc --noEmit",
    "test": "vitest run"
  },
  "dependencies": {
    "@petstore-platform/server-runtime": "workspace:*",
    "@petstore-platform/service": "workspace:*",
    "kysely": "catalog:"
  },
  "devDependencies": {
    "{{sdkPackage}}": "workspace:*",
    "@petstore-platform/testkit": "workspace:*",
    "vitest": "catalog:"
  }
}
