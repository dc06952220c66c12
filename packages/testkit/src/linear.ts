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
 * @returns the result of the long input, or the value that `parse` threw
 * @throws Error if a long input costs more than 64 times as much as a short one
 */
export async function expectLinear<Input>(
  parse: (input: Input) => unknown,
  worstCase: (length: number) => Input,
): Promise<unknown> {
  const [short, long] = [worstCase(SHORT), worstCase(LONG)];
  let [leastShort, leastLong] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let run = 0; run < RUNS; run++) {
    const { result, time } = await timed(parse, long);
    leastLong = Math.min(leastLong, time);
    if (leastLong < FLOOR) return result;
    // Short runs are cheap and are repeated, because the first ones are slow until the code is compiled.
    for (let shortRun = 0; shortRun < RUNS; shortRun++)
      leastShort = Math.min(leastShort, (await timed(parse, short)).time);
    if (leastLong < LIMIT * leastShort) return result;
  }
  const [times, ratio] = [[leastShort, leastLong].map((time) => time.toFixed(1)), Math.round(leastLong / leastShort)];
  throw new Error(
    `${SHORT} characters took ${times[0]} ms, ${LONG} took ${times[1]} ms, ${ratio} times as long: not linear`,
  );
}

async function timed<Input>(
  parse: (input: Input) => unknown,
  input: Input,
): Promise<{ result: unknown; time: number }> {
  const before = process.threadCpuUsage();
  const result = await (async () => parse(input))().catch((error: unknown) => error);
  const { user, system } = process.threadCpuUsage(before);
  return { result, time: (user + system) / 1_000 };
}
