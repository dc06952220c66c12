/** The command line. It exits with 0 if the change passed, 1 if it is refused, and 2 if the tool itself failed. */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { toAnnotations, toJson } from './formats.ts';
import { toMarkdown } from './markdown.ts';
import type { Report, Request, Workspace } from './report.ts';
import { review } from './review.ts';
import { oneLine } from './words.ts';

const USAGE = `Usage: contract-review --base <version> [--head <version>]

Reports what a change of an OpenAPI document breaks, and the version that it requires. A version is a file, a git ref,
or <ref>:<path>.

  --base <version>     a ref stands for its merge base with head
  --head <version>     default: the work tree
  --contract <path>    the document, from the root of the repository (default: the only one in openapi/ or the root)
  --released <path>    the document as it was last released (default: .released/<name> beside it)
  --overrides <path>   accepted exceptions (default: .overrides/<name> beside it)
  --package <name>     the package whose changesets declare the version
  --fail-on <impact>   major, minor or never (default: the policy)
  --format <format>    markdown or json
  --comment <file>     also writes the report as Markdown that fits a comment
  --help
`;

const OPTIONS = Object.fromEntries(
  [...USAGE.matchAll(/^ {2}--([a-z-]+)( <)?/gm)].map(([, name, value]) => [
    name,
    { type: value ? 'string' : 'boolean' },
  ]),
) as Record<string, { type: 'string' | 'boolean' }>;

const FORMATS: Record<string, (report: Report) => string> = {
  markdown: toMarkdown,
  json: toJson,
};

export type Job = readonly [request: Request, workspace?: Workspace];

/** @returns the exit code */
export async function run(
  args: string[],
  jobsFor = async (request: Request): Promise<readonly Job[]> => [[request]],
): Promise<number> {
  try {
    const { values } = parseArgs({ args, options: OPTIONS });
    if (values.help) {
      console.log(USAGE);
      return 0;
    }
    const { base, format = 'markdown', comment, 'fail-on': failOn, ...options } = values as Record<string, string>;
    if (base === undefined) throw new Error('--base <file or git ref> is missing; see --help');
    const print = Object.hasOwn(FORMATS, format) ? FORMATS[format] : undefined;
    if (!print) throw new Error(`--format ${format} is none of ${Object.keys(FORMATS).join(', ')}`);
    if (failOn !== undefined && failOn !== 'major' && failOn !== 'minor' && failOn !== 'never')
      throw new Error(`--fail-on ${failOn} is none of major, minor, never`);
    let isRefused = false;
    const comments: string[] = [];
    const wanted: Request = { base, ...options, failOn, cwd: process.cwd(), now: new Date() };
    for (const [request, workspace] of await jobsFor(wanted)) {
      const report = await review(request, workspace);
      if (report === undefined) {
        // The JSON of a report stays alone on stdout.
        const tell = format === 'markdown' ? console.log : console.error;
        tell(`The contract ${request.contract ?? 'at that path'} is new, so it breaks nobody.`);
        continue;
      }
      console.log(print(report));
      if (comment !== undefined) comments.push(toMarkdown(report, ROOM));
      // GitHub reads annotations on either stream; stdout has the report.
      if (process.env.GITHUB_ACTIONS === 'true') console.error(toAnnotations(report));
      isRefused ||= report.isRefused;
    }
    if (comment !== undefined) writeFileSync(comment, comments.join(''));
    return isRefused ? 1 : 0;
  } catch (error) {
    console.error(`contract-review: ${oneLine(error instanceof Error ? error.message : error)}`);
    return 2;
  }
}

/** The longest report, in characters. A comment on GitHub may have 65,536. */
const ROOM = 55_000;
