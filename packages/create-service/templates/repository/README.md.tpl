# {{about}}

With Node.js 22.18 or later and npm, these do all else, also the first time:

```sh
npm start       # Postgres, the server, and two requests to paste; npm run dev restarts it after each change
npm test
```

| What | Where | After a change |
|---|---|---|
| The contract | `{{contract}}` | `npm run generate`, `npm run lint` |
| The tables | `src/migrations.ts` | `npm run tables` |
| The operations | `src/*/operations.ts`, a folder for each tag | `npm run typecheck` |
| The SDK `{{sdkPackage}}` | `client/`, generated | |
| What a change does to clients | | `npm run review -- --base main` |
| API keys | | `npm run keys -- --help` |

The guides: [a service of your own]({{guides}}/own-service.md), [who calls]({{guides}}/callers.md), [rows of tenants]({{guides}}/tenants.md),
[files, streams and events]({{guides}}/streams.md), [recipes]({{guides}}/recipes.md). All about operations, and how the server is operated, is in
`node_modules/@petstore-platform/server-runtime/README.md`.
`npm run check` is what CI runs.

## Deploy

`docker compose up --build` with `POSTGRES_PASSWORD` runs it with Postgres, `docker build .` makes the image. Without containers:
`npm ci && npm run build && npm prune --omit=dev --omit=optional --workspaces=false`, then `node dist/main.js serve --migrate` with `DATABASE_URL`.

## Release and upgrade

`npx changeset` describes a change of the SDK. Merging the pull request "Version packages" publishes it (`.github/workflows/release.yml`).

The platform is the packages `@petstore-platform/…`, all in one version: `npm update --save` and `npm run generate`. The review of that
change says what it does to the API.
