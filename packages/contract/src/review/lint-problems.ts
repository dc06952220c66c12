import path from 'node:path';
import type { Problem } from '../redocly.ts';
import type { Violation } from './policy.ts';
import { canonical } from './schema/shape.ts';
import type { Source } from './source.ts';

/** Violations for lint problems in changed parts of the contract. The other problems are only counted. */
export function toViolations(problems: readonly Problem[], base: Source, head: Source, root: string): Violation[] {
  const isTouched = ({ file, pointer }: Problem) => {
    const headFile = path.resolve(file);
    const baseFile = path.join(path.dirname(base.file), path.relative(path.dirname(head.file), headFile));
    if (!base.has(baseFile)) return true;
    let [old, now] = [base.find(baseFile, pointer), head.find(headFile, pointer)];
    // A missing key is compared by its closest existing parent.
    while (!old.exists && !now.exists) [old, now] = [old.parent, now.parent];
    return canonical(old.value) !== canonical(now.value);
  };
  const touched = problems.filter(isTouched);
  const others = problems.length - touched.length;
  const message = `Lint problems in unchanged parts of the contract: ${others}. \`pnpm contract:lint\` lists them.`;
  return [
    ...touched.map(({ rule, file, line, message: text, pointer }) => ({
      rule,
      message: `${path.relative(root, path.resolve(file))}:${line} ${text}`,
      place: head.find(path.resolve(file), pointer),
    })),
    ...(others > 0 ? [{ rule: 'lint-elsewhere', message }] : []),
  ];
}
