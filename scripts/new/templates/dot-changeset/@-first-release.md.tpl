---
"{{scope}}/{{name}}-client": major
---

First release.
