import path from 'node:path';
import type { Problem } from '../redocly.ts';
import type { Violation } from './policy.ts';
import { canonical } from './schema/shape.ts';
import type { Source } from './source.ts';

/**
 * What the lint says of what a change touches. What it says of the rest is counted.
 *
 * @param isOurs - whether the rules were made for this contract: of another one, all is counted
 */
export function toViolations(
  problems: readonly Problem[],
  base: Source,
  head: Source,
  root: string,
  isOurs: boolean,
): Violation[] {
  const isTouched = ({ file, pointer }: Problem) => {
    const headFile = path.resolve(file);
    const baseFile = path.join(path.dirname(base.file), path.relative(path.dirname(head.file), headFile));
    if (!base.has(baseFile)) return true;
    let [old, now] = [base.find(baseFile, pointer), head.find(headFile, pointer)];
    // What is missing is looked for in what it is missing from.
    while (!old.exists && !now.exists) [old, now] = [old.parent, now.parent];
    return canonical(old.value) !== canonical(now.value);
  };
  const touched = isOurs ? problems.filter(isTouched) : [];
  const others = problems.length - touched.length;
  const count = `${others} problem${others === 1 ? '' : 's'}`;
  const scope = isOurs
    ? 'with what the change does not touch: `pnpm contract:lint`'
    : `with this contract: \`pnpm contract:lint ${path.relative(root, head.file)}\``;
  const message = `The lint has ${count} ${scope} lists them.`;
  return [
    ...touched.map(({ rule, file, line, message: text, pointer }) => ({
      rule,
      message: `${path.relative(root, path.resolve(file))}:${line} ${text}`,
      place: head.find(path.resolve(file), pointer),
    })),
    ...(others > 0 ? [{ rule: 'lint-elsewhere', message }] : []),
  ];
}
