import { asObject, type Context, type Rule } from '../rule.ts';

const rateLimitHeaders = [
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'RateLimit-Policy',
  'RateLimit',
];

const requiredHeaders = {
  '401': [...rateLimitHeaders, 'WWW-Authenticate'],
  '429': [...rateLimitHeaders, 'Retry-After'],
};

type Status = keyof typeof requiredHeaders;

/** Authentication and the rate limit apply to every operation: each declares 401 and 429, with Error and the headers. */
export const operationAuthAndRateLimitResponses: Rule = () => {
  let errorSchema: unknown;
  // Operations share responses; the problems of a response are reported once.
  const checked = { '401': new Set<unknown>(), '429': new Set<unknown>() };

  function check(status: Status, responses: unknown, { report, resolve, location }: Context) {
    const declared = asObject(responses)[status];
    if (declared === undefined) {
      report({
        message: `Declare the ${status} response: every operation can answer it.`,
        location: location.child('responses').key(),
      });
      return;
    }
    const { node: response, location: target } = resolve(declared);
    if (checked[status].has(response)) return;
    checked[status].add(response);
    // For what is no `$ref`, Redocly returns the place of the operation.
    const at = response === declared ? location.child(['responses', status]) : target;
    if (at === undefined) return; // A `$ref` that leads nowhere, which Redocly reports.

    const { headers, content } = asObject(response);
    const names = Object.keys(asObject(headers)).map((name) => name.toLowerCase());
    const missing = requiredHeaders[status].filter((name) => !names.includes(name.toLowerCase()));
    if (missing.length > 0) {
      report({
        message: `Declare the headers that the ${status} response lacks: ${missing.join(', ')}.`,
        location: at.child('headers').key(),
      });
    }

    const { schema } = asObject(asObject(content)['application/json']);
    if (schema === undefined || resolve(schema, at.source.absoluteRef).node !== errorSchema) {
      report({
        message: `Give the application/json of the ${status} response the schema \`#/components/schemas/Error\`.`,
        location: at.child('content').key(),
      });
    }
  }

  return {
    Root({ components }, { resolve }) {
      errorSchema = resolve(asObject(asObject(components).schemas).Error).node;
    },
    Operation({ responses }, context) {
      check('401', responses, context);
      check('429', responses, context);
    },
  };
};
