{
  "extends": "../../tsconfig.base.json",
  "compilerOptions": { "noEmit": true, "declaration": false, "lib": ["es2024"], "customConditions": ["source"] },
  "include": ["src", "test", "*.ts"]
}
