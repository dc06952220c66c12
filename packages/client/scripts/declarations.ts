// The compiler rewrites './x.ts' to './x.js' in what runs, but not in the declarations beside it. The two endings are
// equally long, so the declaration maps stay right.
import { globSync, readFileSync, writeFileSync } from 'node:fs';

for (const file of globSync('dist/**/*.d.ts')) {
  const text = readFileSync(file, 'utf8');
  writeFileSync(file, text.replace(/(from '\.{1,2}\/[^']+)\.ts'/g, "$1.js'"));
}
