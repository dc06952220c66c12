const TOKENS = /^[\w-]+(, ?[\w-]+)*$/;
const ORIGIN = /^(\*|https?:\/\/[\w.:[\]-]+)$/;

/** Headers that no contract declares, with their values. They belong to HTTP and to browsers' security, or identify the request. */
export const TRANSPORT_HEADERS: Record<string, RegExp> = {
  date: /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/,
  connection: /^(close|keep-alive)$/i,
  'keep-alive': /^timeout=\d+$/,
  'transfer-encoding': /^chunked$/,
  'content-length': /^\d+$/,
  'content-type': /^[a-z]+\/[a-z\d.+-]+(; charset=utf-8)?$/,
  vary: TOKENS,
  'x-content-type-options': /^nosniff$/,
  // Of a body that a browser may show.
  'content-security-policy': /^default-src 'none'; sandbox$/,
  // Of an operation whose credentials caches do not know.
  'cache-control': /^private$/,
  'x-request-id': /^[\w.:+/=@-]{1,128}$/,
  'access-control-allow-origin': ORIGIN,
  'access-control-allow-credentials': /^true$/,
  'access-control-expose-headers': TOKENS,
};

/** Headers of the response to a CORS preflight. */
export const PREFLIGHT_HEADERS: Record<string, RegExp> = {
  ...TRANSPORT_HEADERS,
  'access-control-allow-methods': TOKENS,
  'access-control-allow-headers': TOKENS,
  'access-control-max-age': /^\d+$/,
};
