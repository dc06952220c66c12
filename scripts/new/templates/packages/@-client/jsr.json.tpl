{
  "$schema": "https://jsr.io/schema/config-file.v1.json",
  "name": "{{scope}}/{{name}}-client",
  "license": "{{license}}",
  "exports": {
    ".": "./src/index.ts",
    "./testing": "./src/testing.ts"
  },
  "imports": {
    "openapi-fetch": "npm:openapi-fetch@{{openapi-fetch}}"
  },
  "publish": {
    "include": ["src", "README.md", "CHANGELOG.md", "LICENSE"]
  }
}
