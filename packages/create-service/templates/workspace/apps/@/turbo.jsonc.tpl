{
  "extends": ["//"],
  "tasks": {
    "test": {
      // The tests use the SDK as it is published.
      "dependsOn": ["$TURBO_EXTENDS$", "{{sdkPackage}}#build"]
    }
  }
}
