/** Reads YAML and JSON, with the lines of all values. */
import {
  CORE_SCHEMA,
  constructFromEvents,
  defineMappingTag,
  defineScalarTag,
  defineSequenceTag,
  EVENT_ID,
  type Event,
  getScalarValue,
  intCoreTag,
  mapTag,
  mergeTag,
  parseEvents,
  seqTag,
  YAMLException,
} from 'js-yaml';
import type { Key } from './pointers.ts';

/** Integers beyond 2^53 become big integers, so that they are not rounded. */
const integer = defineScalarTag<unknown>(intCoreTag.tagName, {
  ...intCoreTag,
  resolve(source, ...rest) {
    const value = intCoreTag.resolve(source, ...rest);
    return Number.isSafeInteger(value) || !/^[-+]?\d+$/.test(source) ? value : BigInt(source.replace(/^\+/, ''));
  },
});

const schema = CORE_SCHEMA.withTags(
  integer,
  // Merge keys (`<<: *anchor`) are not YAML 1.2, but Redocly supports them, and so does the generated code.
  mergeTag,
  // An unknown tag, such as `!Ref`, is left out.
  defineScalarTag('', { matchByTagPrefix: true, resolve: (source) => source, identify: () => false }),
  defineSequenceTag('', { ...seqTag, matchByTagPrefix: true }),
  defineMappingTag('', { ...mapTag, matchByTagPrefix: true }),
);

/** The maximum nesting, because objects are visited by recursion. */
const MOST_LEVELS = 500;
/** The maximum number of values that aliases repeat. All operations may share a response. */
const MOST_REPEATED = 1_000_000;

/** The most lines that are read as indented. Each is found by reading the text again. */
const MOST_INDENTED = 200;

/** A text with the lines of these numbers further in than any others. */
export function indentedAt(numbers: readonly number[], text: string): string {
  const lines = text.split('\n');
  for (const number of numbers) lines[number - 1] = ' '.repeat(MOST_LEVELS) + lines[number - 1];
  return lines.join('\n');
}

/**
 * @param name - the name of the file in messages
 * @param indented - the lines of flow collections and quoted texts that stand too far left, which other readers accept
 * @throws Error with the line of the problem
 */
export function parseYaml(
  text: string,
  name: string,
  indented: number[] = [],
): ReturnType<typeof parsed> & { indented?: number[] } {
  try {
    return { ...parsed(indentedAt(indented, text)), indented };
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    const { line = 0, column = 0 } = error.mark ?? {};
    if (error.reason !== 'deficient indentation' || indented.length === MOST_INDENTED || indented.includes(line + 1))
      throw new Error(
        `${name}:${line + 1}:${column + 1 - (indented.includes(line + 1) ? MOST_LEVELS : 0)} ${error.reason}`,
      );
    return parseYaml(text, name, [...indented, line + 1]);
  }
}

function parsed(text: string) {
  const events = parseEvents(text, { maxDepth: MOST_LEVELS });
  const positions = positionsOf(events, text);
  const [value, ...others] = constructFromEvents(events, { source: text, schema, maxTotalMergeKeys: -1 });
  if (others.length > 0) YAMLException.throwAt(text, 0, 'the file has several documents');
  return { value, lineOf: (keys: readonly Key[]) => lineOf(keys, events, positions, text) };
}

type Positions = ReturnType<typeof positionsOf>;

/**
 * The line of each event, and the index after the last event of each value, by the index of its first.
 *
 * @throws YAMLException for aliases that repeat their own values, or too many
 */
function positionsOf(events: readonly Event[], text: string) {
  const [ends, lines]: [number[], number[]] = [[], []];
  const open: { index: number; size: number; anchor: string }[] = [];
  const sizes = new Map<string, number>();
  let [line, lineEnd, repeated] = [1, text.indexOf('\n'), 0];
  for (const [index, event] of events.entries()) {
    const offset = 'valueStart' in event ? event.valueStart : 'start' in event ? event.start : 0;
    for (; lineEnd >= 0 && lineEnd < offset; lineEnd = text.indexOf('\n', lineEnd + 1)) line += 1;
    lines.push(line);
    const anchor = 'anchorStart' in event ? text.slice(event.anchorStart, event.anchorEnd) : '';
    const isOpening = 'start' in event || event.type === EVENT_ID.DOCUMENT;
    if (isOpening) open.push({ index, size: 1, anchor });
    const closed = event.type === EVENT_ID.POP ? open.pop() : undefined;
    ends[closed?.index ?? index] = index + 1;
    const size = event.type === EVENT_ID.ALIAS ? (sizes.get(anchor) ?? 1) : (closed?.size ?? 1);
    if (event.type === EVENT_ID.ALIAS) {
      repeated += size;
      if (open.some((one) => one.anchor === anchor))
        YAMLException.throwAt(text, event.anchorStart, `the alias *${anchor} is within its own anchor`);
      if (repeated > MOST_REPEATED) YAMLException.throwAt(text, event.anchorStart, 'aliases repeat too many values');
    } else sizes.set(closed?.anchor ?? anchor, size);
    const parent = open.at(-1);
    if (parent && !isOpening) parent.size += size;
  }
  return { ends, lines };
}

/** The line of a key or an item, counted from 1; of the closest ancestor if nothing is there. */
function lineOf(keys: readonly Key[], events: readonly Event[], { ends, lines }: Positions, text: string): number {
  const endOf = (index: number) => ends[index] as number;
  let [at, line] = [1, 1];
  for (const key of keys) {
    const type = events[at]?.type;
    if (type !== EVENT_ID.MAPPING && type !== EVENT_ID.SEQUENCE) break;
    const isMap = type === EVENT_ID.MAPPING;
    let [next, position] = [at + 1, 0];
    const isThis = () => {
      const event = events[next];
      return isMap
        ? event && 'valueStart' in event && getScalarValue(text, event) === `${key}`
        : position === Number(key);
    };
    while (next < endOf(at) - 1 && !isThis()) {
      next = isMap ? endOf(endOf(next)) : endOf(next);
      position += 1;
    }
    if (next === endOf(at) - 1) break;
    line = lines[next] as number;
    at = isMap ? endOf(next) : next;
  }
  return line;
}
