{
  "changelog": "@changesets/cli/changelog",
  "access": "public",
  "baseBranch": "main",
  "updateInternalDependencies": "patch",
  "privatePackages": { "version": true, "tag": true }
}
