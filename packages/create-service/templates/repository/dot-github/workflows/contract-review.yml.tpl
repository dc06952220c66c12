name: contract review
on:
  pull_request:
    paths: ["openapi/**", ".changeset/**"]

permissions: { contents: read }

jobs:
  review:
    runs-on: ubuntu-latest
    timeout-minutes: 10
    steps:
      - uses: actions/checkout@3d3c42e5aac5ba805825da76410c181273ba90b1 # v7.0.1
        with: { fetch-depth: 0, persist-credentials: false }
      - uses: actions/setup-node@820762786026740c76f36085b0efc47a31fe5020 # v7.0.0
        with: { node-version: 24, cache: npm }
      - run: npm ci
      - env: { BASE: "origin/${{ github.base_ref }}" }
        # This shell fails if any command of a pipe does.
        shell: bash
        run: npm run --silent review -- --base "$BASE" | tee -a "$GITHUB_STEP_SUMMARY"
