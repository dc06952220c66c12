---
"{{scope}}/{{name}}": major
"{{scope}}/{{name}}-client": major
---

First release.
