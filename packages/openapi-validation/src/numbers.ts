/**
 * Whether a number in JSON text says another value than its double: an integer in digits beyond ±(2^53 − 1), a number out of range
 * (`1e400`), or a fraction that becomes an integer (`9007199254740991.4`, `1e-400`).
 */
export function isRounded(source: string, value: number): boolean {
  if (!Number.isFinite(value)) return true;
  if (!Number.isInteger(value)) return false;
  return Number.isSafeInteger(value) ? isFraction(source) : !/[.eE]/.test(source) || isFraction(source);
}

/** Whether the source text of a JSON number lies between two integers. */
export function isFraction(source: string): boolean {
  // Most numbers are integers in digits.
  if (!/[.eE]/.test(source)) return false;
  const [mantissa = '', exponent = '0'] = source.replace(/^-/, '').split(/e/i);
  const [integer = '', fraction = ''] = mantissa.split('.');
  const digits = integer + fraction;
  let significant = digits.length;
  while (digits[significant - 1] === '0') significant -= 1;
  return significant > 0 && significant > integer.length + Number(exponent);
}

/** Whether a number is a multiple of another one as both are written in decimals: 4.35 is one of 0.01, although 4.35 % 0.01 is not 0. */
export function isMultiple(value: number, divisor: number): boolean {
  if (Number.isSafeInteger(value) && Number.isSafeInteger(divisor)) return value % divisor === 0;
  if (!Number.isFinite(value)) return false;
  const [a, b] = [decimalOf(value), decimalOf(divisor)];
  const exponent = Math.min(a.exponent, b.exponent);
  const [dividend, by] = [a, b].map((each) => each.digits * 10n ** BigInt(each.exponent - exponent)) as [
    bigint,
    bigint,
  ];
  return dividend % by === 0n;
}

function decimalOf(value: number) {
  const [mantissa = '', exponent = '0'] = `${value}`.split('e');
  const [integer = '', fraction = ''] = mantissa.split('.');
  return { digits: BigInt(integer + fraction), exponent: Number(exponent) - fraction.length };
}
