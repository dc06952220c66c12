{
  "extends": "@petstore-platform/service/tsconfig.json",
  "compilerOptions": { "noEmit": true },
  "include": ["src", "test", "client/test", "*.ts"]
}
