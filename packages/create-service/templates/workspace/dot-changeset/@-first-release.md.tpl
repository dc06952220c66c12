---
"{{package}}": major
"{{sdkPackage}}": major
---

First release.
