import { type Call, createClient, isPetstoreError } from '@petstore/client';

// Gives up before the browser does, which waits ten seconds for an answer.
const petstore = createClient({ apiKey: () => process.env.PETSTORE_API_KEY, totalTimeout: 8_000 });

export function GET({ url, signal }: Request): Promise<Response> {
  const cursor = new URL(url).searchParams.get('cursor') ?? undefined;
  return answer(petstore.listPets({ status: 'available', cursor }, { signal }));
}

export async function POST(request: Request): Promise<Response> {
  const idempotencyKey = request.headers.get('Idempotency-Key') ?? undefined;
  return answer(petstore.createPet(await request.json(), { idempotencyKey, signal: request.signal }));
}

async function answer(call: Call<unknown>): Promise<Response> {
  try {
    const { data, response } = await call.withResponse();
    return Response.json(data, { status: response.status, headers: passedOn(response) });
  } catch (error) {
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
