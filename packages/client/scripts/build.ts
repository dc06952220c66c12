// dist/: one JavaScript file for each entry point with openapi-fetch in it, and the declarations.
import { execFileSync } from 'node:child_process';
import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { build } from 'esbuild';

rmSync('dist', { recursive: true, force: true });

await build({
  entryPoints: ['src/index.ts', 'src/testing.ts'],
  outdir: 'dist',
  bundle: true,
  // The two entry points share one PetstoreError.
  splitting: true,
  chunkNames: 'internal',
  format: 'esm',
  target: 'es2022',
  sourcemap: true,
});

execFileSync('../../node_modules/.bin/tsc', ['-p', 'tsconfig.build.json'], { stdio: 'inherit' });

// The compiler rewrites './x.ts' to './x.js' in what runs, but not in declarations. The two endings are equally long,
// so the declaration maps stay right.
for (const file of globSync('dist/**/*.d.ts')) {
  const text = readFileSync(file, 'utf8');
  writeFileSync(file, text.replace(/(from '\.{1,2}\/[^']+)\.ts'/g, "$1.js'"));
}
