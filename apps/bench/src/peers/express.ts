/** The base of both Express peers, with express-openapi-validator on the contract, and pg. */
import express, { type NextFunction, type Request, type RequestHandler, type Response } from 'express';
import * as OpenApiValidator from 'express-openapi-validator';
import { afterOf, createPet, getPet, listPets, port } from './pets.ts';

// The peers use the completed contract, as the server does.
const { document } = await import(new URL('../../../server/src/generated/document.ts', import.meta.url).href);

/** @param before - middleware that runs before parsing and validation */
export function serve(...before: RequestHandler[]): void {
  const app = express();
  app.disable('x-powered-by');
  app.use(...before);
  app.use(express.json());
  app.use(
    OpenApiValidator.middleware({
      apiSpec: document,
      validateSecurity: { handlers: { bearerAuth: () => true } },
      validateResponses: false,
      validateApiSpec: false,
    }),
  );
  app.get('/v1/pets', async (request, response) => {
    const { limit = 20, status, cursor } = request.query as { limit?: number; status?: string; cursor?: string };
    response.json(await listPets(Number(limit), status, afterOf(cursor)));
  });
  app.post('/v1/pets', async (request, response) => {
    response.status(201).json(await createPet(request.body));
  });
  app.get('/v1/pets/:petId', async (request, response) => {
    const pet = await getPet(Number(request.params.petId));
    response.status(pet ? 200 : 404).json(pet ?? {});
  });
  app.use((error: { status?: number; message: string }, _request: Request, response: Response, _next: NextFunction) => {
    response.status(error.status ?? 500).json({ message: error.message });
  });
  app.listen(port, '127.0.0.1');
}
