export function invariant(condition: unknown, message: string): asserts condition {
  if (!condition) throw new TypeError(message);
}

/** The result of a task; undefined if it throws. */
export function tried<Result>(task: () => Result): Result | undefined {
  try {
    return task();
  } catch {
    return undefined;
  }
}

export function refuseUnknown(name: string, kind: string, input: object, names?: object, more?: object): void {
  invariant(typeof input === 'object', `${name}: the ${kind}s must be an object`);
  const all = { ...names, ...more };
  for (const key of Object.keys(input)) {
    if (Object.hasOwn(all, key)) continue;
    const meant = Object.keys(all).find((one) => isNear(one.toLowerCase(), key.toLowerCase()));
    const hint = meant ? `, did you mean ${meant}?` : '';
    throw new TypeError(`${name}: unknown ${kind} ${JSON.stringify(key)}${hint}`);
  }
}

/** Whether two names have the same letters but for less than three, and less than half of the shorter one. */
function isNear(one: string, other: string): boolean {
  const strange = [...one, ...other].filter((letter) => !one.includes(letter) || !other.includes(letter));
  return strange.length < Math.min(3, one.length / 2, other.length / 2);
}

/** Refuses a text that no header can have. */
export function checkText(name: string, value: unknown): void {
  const isSendable = value == null || (typeof value === 'string' && /^[!-~]+$/.test(value));
  invariant(isSendable, `${name} must be a string of visible ASCII characters (no "Bearer ", no line break)`);
}
