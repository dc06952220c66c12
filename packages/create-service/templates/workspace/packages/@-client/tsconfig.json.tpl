{
  // This checks the whole package. Only its scripts and tests use the types of Node.js.
  "extends": "../../tsconfig.base.json",
  "compilerOptions": {
    "lib": ["es2023", "dom", "dom.iterable"],
    "noEmit": true
  },
  "include": ["src", "test"]
}
