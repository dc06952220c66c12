/** The same three calls, made with each client. What they answer is parsed, and a failure is thrown. */
export interface Candidate {
  listPets(limit: number): Promise<unknown>;
  createPet(body: { name: string; categoryId: number }): Promise<unknown>;
  getPet(petId: number): Promise<unknown>;
}

export type Create = (baseUrl: string, apiKey: string) => Candidate;
