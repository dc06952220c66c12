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
    "@petstore-platform/client-runtime": "npm:@petstore-platform/client-runtime@^{{client-runtime}}"
  },
  "publish": {
    "include": ["src", "README.md", "CHANGELOG.md", "LICENSE"]
  }
}
