import { type Call, createClient, isPetstoreError } from '@petstore/client';

// Gives up before the browser does, which waits ten seconds for an answer.
const petstore = createClient({ apiKey: () => process.env.PETSTORE_API_KEY, totalTimeout: 8_000 });

export function GET(request: Request): Promise<Response> {
  const query = Object.fromEntries(new URL(request.url).searchParams);
  return answer(request, petstore.request('GET', '/pets', { query, signal: request.signal }));
}

export async function POST(request: Request): Promise<Response> {
  const idempotencyKey = request.headers.get('Idempotency-Key') ?? undefined;
  return answer(request, petstore.createPet(await request.json(), { idempotencyKey, signal: request.signal }));
}

async function answer({ signal }: Request, call: Call<unknown>): Promise<Response> {
  try {
    const { data, response } = await call.withResponse();
    return Response.json(data, { status: response.status, headers: passedOn(response) });
  } catch (error) {
    if (signal.aborted) return new Response(null, { status: 499 }); // Nobody reads it.
    if (!isPetstoreError(error)) throw error;
    const unavailable = { code: 'service_unavailable', message: 'The Petstore does not answer', status: 502 };
    // A 401 is about the backend's key.
    const body = error.status !== 401 && error.body ? error.body : unavailable;
    return Response.json(body, { status: body.status, headers: passedOn(error.response) });
  }
}

function passedOn(response: Response | undefined): Headers {
  const headers = new Headers();
  for (const name of ['Link', 'Retry-After', 'X-Request-Id']) {
    const value = response?.headers.get(name);
    if (value) headers.set(name, value);
  }
  return headers;
}
