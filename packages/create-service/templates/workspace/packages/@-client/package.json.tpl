{
  "name": "{{sdkPackage}}",
  "version": "0.0.0",
  "description": "{{api}}, typed.",
  "license": "{{license}}",
  "type": "module",
  "contract": {
    "file": "{{contract}}",
    "client": "src/generated"
  },
  "sideEffects": false,
  "engines": {
    "node": ">=22.12"
  },
  "files": [
    "dist",
    "src",
    "CHANGELOG.md"
  ],
  "exports": {
    ".": {
      "types": "./dist/index.d.ts",
      "default": "./dist/index.js"
    },
    "./react-query": {
      "types": "./dist/react-query.d.ts",
      "default": "./dist/react-query.js"
    },
    "./schemas": {
      "types": "./dist/schemas.d.ts",
      "default": "./dist/schemas.js"
    },
    "./testing": {
      "types": "./dist/testing.d.ts",
      "default": "./dist/testing.js"
    },
    "./package.json": "./package.json"
  },
  "publishConfig": {
    "access": "public"
  },
  "scripts": {
    "build": "node --eval \"fs.rmSync('dist', { recursive: true, force: true })\" && ../../node_modules/.bin/tsc -p tsconfig.build.json",
    "typecheck": "../../node_modules/.bin/tsc --noEmit && ../../node_modules/.bin/tsc -p tsconfig.build.json --noEmit",
    "test": "vitest run",
    "reference": "npx --yes deno@2.9.6 doc --html --name={{sdkPackage}} --output=reference src/generated/index.ts src/generated/testing.ts ../client-runtime/src/index.ts",
    "size": "size-limit",
    "package": "pnpm pack --out {{name}}-client.tgz && publint run {{name}}-client.tgz --strict && attw {{name}}-client.tgz --profile esm-only && echo \"In an empty project: npm install $(cd ../client-runtime && pwd)/client-runtime.tgz $(pwd)/{{name}}-client.tgz\""
  },
  "dependencies": {
    "@petstore-platform/client-runtime": "workspace:^"
  },
  "peerDependencies": {
    "@tanstack/react-query": "^5.62.0"
  },
  "peerDependenciesMeta": {
    "@tanstack/react-query": {
      "optional": true
    }
  },
  "devDependencies": {
    "@arethetypeswrong/cli": "catalog:",
    "@size-limit/esbuild": "catalog:",
    "@size-limit/file": "catalog:",
    "@tanstack/react-query": "catalog:",
    "@types/node": "catalog:",
    "publint": "catalog:",
    "react": "catalog:",
    "size-limit": "catalog:",
    "vitest": "catalog:"
  },
  "size-limit": [
    {
      "name": "everything that the main entry exports",
      "path": "dist/index.js",
      "limit": "{{limit}} kB",
      "gzip": true
    }
  ]
}
