{
  // This compiles the published sources, which must not depend on the types of any one runtime.
  "extends": "../../tsconfig.base.json",
  "compilerOptions": {
    "lib": ["es2023", "dom", "dom.iterable"],
    "types": [],
    "rootDir": "src/generated",
    "outDir": "dist",
    "declarationMap": true
  },
  "include": ["src"]
}
