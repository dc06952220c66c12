/** Advice on how to reach the aim of a breaking change without breaking clients. The first pattern that matches a rule applies. */
const ADVICE: readonly (readonly [rule: RegExp, advice: string])[] = [
  [/^operation-moved/, 'serve both paths, and deprecate the old one'],
  [/^operation-id-reassigned|^path-parameters-swapped/, 'keep the old names, and choose new ones for additions'],
  [/^operation-id|^path-parameter|^component-schema|^server-environment/, 'keep the name, by which the SDK is used'],
  [/^stability/, 'keep the level'],
  [/read-only-refused/, 'keep dropping them by `x-read-only: ignore`'],
  [/default-value/, 'leave the default, and let clients send the new value'],
  [/media-type/, 'serve both media types'],
  [/^operation|^callback|^webhook/, 'keep it, and deprecate it until its clients have left'],
  [
    /enum-value-added|enum-became-extensible/,
    'keep to the listed values: a list that will grow belongs in `x-extensible-enum`',
  ],
  [/^response-.*renamed/, 'return both fields, and mark the old one `deprecated`'],
  [/^request-.*renamed/, 'accept both names, and mark the old one `deprecated`'],
  [/-added-required|^request-.*became-required/, 'leave it optional, and treat its absence as before'],
  [
    /^response-.*(became-optional|became-nullable|schema-forbidden)/,
    'keep returning it, with a value, and offer the new form in another field',
  ],
  [/^response-(property|header)-removed/, 'keep returning it, and mark it `deprecated`'],
  [/^request-(parameter|property)-(removed|became-read-only)/, 'keep accepting it, and mark it `deprecated`'],
  [/^response-(success-)?status/, 'keep the statuses, and describe new cases in the body of a known one'],
  [/^security/, 'accept the old credentials too, until clients have changed theirs'],
  [/^server/, 'keep the old URL as a server, too'],
  [/^rate-limit/, 'leave the limit, or give the lower one to a plan of its own'],
  [/^(max-body|not-idempotent|error-form)/, 'leave it, and offer the new form in another operation'],
  [
    /type|format|one-of|any-of|unsupported/,
    'leave it, and offer the new form in a field, parameter or operation of its own',
  ],
  [/^request-/, 'keep accepting the earlier values'],
  [/^response-/, 'keep to the earlier values'],
];

export const adviceOn = (rule: string): string =>
  ADVICE.find(([pattern]) => pattern.test(rule))?.[1] ?? 'keep the old form beside the new one';
