{
  "extends": "../../tsconfig.base.json",
  "compilerOptions": {
    "rootDir": "src",
    "outDir": "dist",
    "declaration": false,
    "lib": ["es2024"],
    "incremental": true,
    "tsBuildInfoFile": "dist/.tsbuildinfo"
  },
  "references": [
    { "path": "../../packages/server-runtime/tsconfig.build.json" },
    { "path": "../../packages/service/tsconfig.commands.json" }
  ],
  "include": ["src"]
}
