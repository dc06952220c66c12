{
  // The whole package, scripts and tests included; only these know Node.js.
  "extends": "../../tsconfig.base.json",
  "compilerOptions": {
    "lib": ["es2023", "dom", "dom.iterable"],
    "noEmit": true
  },
  "include": ["src", "test"]
}
