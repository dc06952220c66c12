// The number of available animals, in a Cloudflare Worker. Its secrets are in `env`, so the client is made for each request.
import { createClient, isPetstoreError } from '@petstore/client';

interface Env {
  PETSTORE_API_KEY: string;
  /** The URL of another server than production. */
  PETSTORE_BASE_URL?: string;
}

export default {
  async fetch(request: Request, env: Env): Promise<Response> {
    const petstore = createClient({ apiKey: env.PETSTORE_API_KEY, baseUrl: env.PETSTORE_BASE_URL });
    try {
      const pets = await petstore.listPets({ status: 'available', limit: 100 }, { signal: request.signal });
      return Response.json({ available: pets.length });
    } catch (error) {
      if (!isPetstoreError(error)) throw error;
      console.error(error.message);
      return Response.json({ error: 'The petstore does not answer' }, { status: 502 });
    }
  },
};
