/** The parts of V8's CPU profile that are read here. */
export interface Profile {
  /** Microseconds of the monotonic clock of `process.hrtime`. */
  startTime: number;
  nodes: Node[];
  /** The running node at each sample. */
  samples: number[];
  /** Microseconds since the previous sample. */
  timeDeltas: number[];
}

interface Node {
  id: number;
  callFrame: { functionName: string; url: string };
  children?: number[];
}

/**
 * Microseconds by part of the program. Native code counts for its caller.
 *
 * @param range - the time to read, in microseconds of the profile's clock
 */
export function timeByPart(profile: Profile, range: { from: number; to: number }): Map<string, number> {
  const { nodes, samples, timeDeltas } = profile;
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const parents = new Map(nodes.flatMap((node) => (node.children ?? []).map((child) => [child, node] as const)));
  const times = new Map<string, number>();
  let at = profile.startTime;
  for (const [index, id] of samples.entries()) {
    const delta = timeDeltas[index] ?? 0;
    at += delta;
    let node = byId.get(id);
    if (at < range.from || at > range.to || node?.callFrame.functionName === '(idle)') continue;
    let part = node && partOf(node);
    while (node && part === undefined) {
      node = parents.get(node.id);
      part = node && partOf(node);
    }
    times.set(part ?? OUTSIDE, (times.get(part ?? OUTSIDE) ?? 0) + delta);
  }
  return times;
}

const OUTSIDE = 'system calls and event loop';

/** Parts by the URLs of their files; the first match counts. */
const PARTS: [RegExp, string][] = [
  [/^node:(_http|internal\/http|net$|(internal\/|internal\/js_|_)?stream)/, 'HTTP and sockets (Node.js)'],
  [/^node:(internal\/process|internal\/async|async_hooks|internal\/timers|timers)/, 'promises and timers (Node.js)'],
  [/^node:/, 'other parts of Node.js'],
  [/\/node_modules\/(pg|pg-[^/]+|postgres-[^/]+)\//, 'pg'],
  [/\/node_modules\/kysely\//, 'Kysely'],
  [/\/node_modules\/(pino|pino-[^/]+|sonic-boom|thread-stream|fast-redact|quick-format-unescaped)\//, 'pino'],
  [/\/node_modules\/(ajv|ajv-formats)\//, 'Ajv'],
  [/\/node_modules\/(?!\.pnpm)/, 'Fastify and its plugins'],
  [/\/dist\/limits\//, 'ours: limits'],
  [/\/dist\/http\//, 'ours: HTTP'],
  [/\/dist\/(pets\/|database\/|batcher)/, 'ours: pets and batches'],
  [/^file:/, 'ours: all else'],
];

/** The part of a function; undefined without a file: native code belongs to its caller. */
function partOf({ callFrame: { functionName, url } }: Node): string | undefined {
  if (functionName === '(garbage collector)') return 'garbage collection';
  if (functionName === '(program)') return OUTSIDE;
  return url === '' ? undefined : PARTS.find(([pattern]) => pattern.test(url))?.[1];
}
