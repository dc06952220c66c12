// Generated from openapi/petstore.yaml by `pnpm contract:generate`. Do not edit.

/** A request of each operation, from the examples of the contract. */
export const examples: Record<string, { method: string; target: string; body?: unknown }> = {
  "listPets": {
    "method": "GET",
    "target": "/v1/pets?limit=20&status=available"
  },
  "createPet": {
    "method": "POST",
    "target": "/v1/pets",
    "body": {
      "name": "Biscuit",
      "categoryId": 7,
      "status": "available"
    }
  },
  "getPet": {
    "method": "GET",
    "target": "/v1/pets/1"
  }
};
