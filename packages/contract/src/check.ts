import path from 'node:path';
import { placeAt } from '@petstore-platform/openapi';
import { isError, type Problem } from './lint/report.ts';
import { PLATFORM } from './platform.ts';
import { folderOf, readContract } from './read.ts';
import { isShown, lint } from './redocly.ts';
import { trial } from './trial/trial.ts';

/**
 * Lints a contract. If it has no errors, it is tried, too.
 *
 * @param root - the folder of the workspace
 */
export async function check(file: string, root: string): Promise<Problem[]> {
  const within = path.resolve(file).startsWith(root + path.sep) ? root : folderOf(file);
  const reading = readContract(file, PLATFORM, within);
  const problems = await lint(reading, within);
  if (problems.some(isError)) return problems;
  const findings = (await trial(reading, root)).map(({ keys, ...finding }) => {
    const { file: name = file, line = 1, pointer = '#/' } = placeAt(reading.document, keys) ?? {};
    return { ...finding, file: path.relative('', name), line, column: 1, pointer };
  });
  return [...problems, ...findings.filter((one) => isShown(reading, one))];
}
