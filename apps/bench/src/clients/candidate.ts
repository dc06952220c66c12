/** The three calls of each client. They return the parsed body and throw on failure. */
export interface Candidate {
  listPets(limit: number): Promise<unknown>;
  createPet(body: { name: string; categoryId: number }): Promise<unknown>;
  getPet(petId: number): Promise<unknown>;
}

export type Create = (baseUrl: string, apiKey: string) => Candidate;
