{
  "name": "{{sdkPackage}}",
  "version": "0.0.0",
  "description": "{{api}}, typed.",
  "type": "module",
  "contract": { "file": "{{contract}}", "client": "src/generated" },
  "sideEffects": false,
  "engines": { "node": ">=22.12" },
  "files": ["dist", "src", "CHANGELOG.md"],
  "exports": {
    ".": { "types": "./dist/index.d.ts", "default": "./dist/index.js" },
    "./react-query": { "types": "./dist/react-query.d.ts", "default": "./dist/react-query.js" },
    "./schemas": { "types": "./dist/schemas.d.ts", "default": "./dist/schemas.js" },
    "./testing": { "types": "./dist/testing.d.ts", "default": "./dist/testing.js" },
    "./package.json": "./package.json"
  },
  "publishConfig": { "access": "public" },
  "scripts": {
    "prepack": "tsc -p ."
  },
  "dependencies": { "@petstore-platform/client-runtime": "{{platform}}" },
  "peerDependencies": { "@tanstack/react-query": "^5.62.0" },
  "peerDependenciesMeta": { "@tanstack/react-query": { "optional": true } },
  "devDependencies": { "@tanstack/react-query": "{{react-query}}" }
}
