import { asObject, type Context, type JsonObject, type Rule } from '../rule.ts';

/** An int64 declares bounds within ±(2^53 − 1): beyond them JSON clients round it silently (RFC 7493, section 2.2). */
export const int64SafeBounds: Rule = () => ({
  Schema: (schema, context) => check(schema, schema, context),
  ref: (reference, context) =>
    check(reference, { ...asObject(context.resolve(reference).node), ...reference }, context),
});

/** `schema` is what counts of `node`: the same, or together with what its `$ref` leads to. */
function check(node: JsonObject, schema: JsonObject, { report, location }: Context): void {
  if (node.format !== 'int64') return;
  const missing = ['minimum', 'maximum'].filter((bound) => typeof schema[bound] !== 'number');
  if (missing.length > 0) {
    report({
      message: `An int64 needs ${missing.map((bound) => `\`${bound}\``).join(' and ')}: JSON carries integers exactly only from ${Number.MIN_SAFE_INTEGER} to ${Number.MAX_SAFE_INTEGER}.`,
      location: location.child('format'),
    });
  }
  if (Number(schema.minimum) < Number.MIN_SAFE_INTEGER) {
    report({
      message: `The \`minimum\` of an int64 must be ${Number.MIN_SAFE_INTEGER} or more: JSON clients round what is below.`,
      location: location.child('minimum'),
    });
  }
  if (Number(schema.maximum) > Number.MAX_SAFE_INTEGER) {
    report({
      message: `The \`maximum\` of an int64 must be ${Number.MAX_SAFE_INTEGER} or less: JSON clients round what is above.`,
      location: location.child('maximum'),
    });
  }
}
