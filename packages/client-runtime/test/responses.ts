export const newBook = { title: 'Emma', storeId: 7 };
export const book = { id: 1, ...newBook };

export type Respond = (request: Request, attempt: number) => Response | Promise<Response>;

/** Headers that a response of any status has. */
export const META = {
  'X-Request-Id': '6b1c',
  'X-RateLimit-Limit': '60',
  'X-RateLimit-Remaining': '59',
  'X-RateLimit-Reset': '1795176060',
};

export const ok = () => Response.json([book]);
export const lost = () => Promise.reject(new TypeError('fetch failed'));
export const never = () => new Promise<never>(() => {});
/** Answers the first attempt with a 500, and later ones with a book. */
export const failingOnce: Respond = (_, attempt) => (attempt === 1 ? errorResponse(500) : Response.json(book));

export function errorBody(status: number, code = 'internal_error') {
  return { code, message: `message of ${code}`, status };
}

export function errorResponse(status: number, headers: Record<string, string> = {}, code = 'internal_error') {
  return Response.json(errorBody(status, code), { status, headers });
}
