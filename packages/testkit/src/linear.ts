/** The lengths of the two inputs, in characters. The long one is the server's default limit of a body. */
const [SHORT, LONG] = [4096, 65_536];

/** The maximum ratio of their times. A long input costs a linear parser 16 times as much, and a quadratic one 256 times. */
const LIMIT = 64;

/** Below this time, in milliseconds, a parser passes. A quadratic one needs some 2,000 for the 2³¹ pairs of a long input. */
const FLOOR = 200;

const RUNS = 3;

/**
 * Checks that the time of a parser grows in proportion to its input. Compares the least processor time of several runs of this
 * thread, which does not depend on the load of the machine; an exponential parser never returns.
 *
 * @param parse - the parser, which may be asynchronous and may throw, but must not cache results
 * @param worstCase - makes an input of about `length` characters
 * @throws Error if a long input costs more than 64 times as much as a short one
 */
export async function expectLinear<Input>(
  parse: (input: Input) => unknown,
  worstCase: (length: number) => Input,
): Promise<void> {
  const leastTime = async (length: number) => {
    const input = worstCase(length);
    let least = Number.POSITIVE_INFINITY;
    for (let run = 0; run < RUNS; run++) {
      const before = process.threadCpuUsage();
      await (async () => parse(input))().catch(() => {});
      const { user, system } = process.threadCpuUsage(before);
      least = Math.min(least, (user + system) / 1_000);
    }
    return least;
  };
  const long = await leastTime(LONG);
  if (long < FLOOR) return;
  const short = await leastTime(SHORT);
  if (long > LIMIT * short)
    throw new Error(`${SHORT} characters took ${short} ms, ${LONG} took ${long} ms: not linear`);
}
