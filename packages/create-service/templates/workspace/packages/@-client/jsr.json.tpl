{
  "$schema": "https://jsr.io/schema/config-file.v1.json",
  "name": "{{sdkPackage}}",
  "license": "{{license}}",
  "exports": {
    ".": "./src/generated/index.ts",
    "./react-query": "./src/generated/react-query.ts",
    "./schemas": "./src/generated/schemas.ts",
    "./testing": "./src/generated/testing.ts"
  },
  "imports": {
    "@tanstack/react-query": "npm:@tanstack/react-query@^5.62.0",
    "openapi-fetch": "npm:openapi-fetch@{{openapi-fetch}}"
  },
  "publish": {
    "include": ["src", "README.md", "CHANGELOG.md", "LICENSE"]
  }
}
