{
  "extends": "@petstore-platform/service/tsconfig.json",
  "compilerOptions": { "rootDir": "src", "outDir": "dist", "sourceMap": true },
  "include": ["src"]
}
