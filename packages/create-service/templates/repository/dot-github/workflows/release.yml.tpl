# Proposes the next version from the changesets; once merged, publishes the SDK. npm accepts the workflow's identity ("trusted publishing").
# It begins with the repository's variable RELEASE, so that a fresh repository stays green.
name: release
on:
  push: { branches: [main] }

permissions: { contents: write, pull-requests: write, id-token: write }

jobs:
  release:
    if: vars.RELEASE != ''
    runs-on: ubuntu-latest
    timeout-minutes: 15
    steps:
      - uses: actions/checkout@3d3c42e5aac5ba805825da76410c181273ba90b1 # v7.0.1
      - uses: actions/setup-node@820762786026740c76f36085b0efc47a31fe5020 # v7.0.0
        with: { node-version: 24, cache: npm }
      - run: npm ci
      - uses: changesets/action@8488615a623b1b9c987934bb89eae8af6a946ac1 # v2.1.1
        with: { version-script: npm run version-packages, publish-script: npx changeset publish }
