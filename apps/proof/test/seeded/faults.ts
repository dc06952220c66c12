export type SeededFault = 'lost key' | 'undeclared property' | 'leaked handle' | 'unguarded socket';

interface Pet {
  id: number;
  name: string;
  categoryId: number;
  status?: string;
}

interface Request {
  headers: object;
  body: Pet;
}

type Handler = (request: Request, context: unknown) => Promise<{ status: number; body: Pet | string }>;
type Handlers = Record<'createPet' | 'getPet', Handler>;

/** Replaces one of the server's handlers with a faulty one. */
export function seed(honest: Handlers): Handlers {
  let creations = 0;

  const faults: Partial<Record<string, Partial<Handlers>>> = {
    // Every fourth creation does not store its key.
    'lost key': {
      createPet: (request, context) =>
        honest.createPet(++creations % 4 === 0 ? { ...request, headers: {} } : request, context),
    },
    // The answer has a column that the contract does not declare.
    'undeclared property': {
      async createPet(request, context) {
        const answer = await honest.createPet(request, context);
        return { ...answer, body: JSON.stringify({ ...JSON.parse(String(answer.body)), key_hash: 'a' }) };
      },
    },
    'leaked handle': {
      getPet(request, context) {
        setInterval(() => {}, 3_600_000);
        return honest.getPet(request, context);
      },
    },
  };
  return { ...honest, ...faults[process.env.SEEDED_FAULT ?? ''] };
}
