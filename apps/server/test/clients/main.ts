/** The client of openapi-generator's `typescript-fetch`, generated beside this file. */
import { AnimalsApi, Configuration, type ModelError, ModelErrorFromJSON, PetStatus, ResponseError } from './client';

const [basePath = '', accessToken = ''] = process.argv.slice(2);

async function main() {
  const animals = new AnimalsApi(new Configuration({ basePath, accessToken }));
  const newPet = { name: 'Biscuit', categoryId: 7, status: PetStatus.Available };
  const created = await animals.createPet({ newPet });
  const listed = await animals.listPets({ status: PetStatus.Available });
  const failed: ModelError = await animals.createPet({ newPet: { name: '', categoryId: 7 } }).then(
    () => Promise.reject(new Error('no failure')),
    async (error) => {
      if (!(error instanceof ResponseError)) throw error;
      return ModelErrorFromJSON(await error.response.json());
    },
  );
  const failure = [failed.status, failed.code, failed.errors?.[0]?.pointer];
  console.log(JSON.stringify({ created, listed, failure }));
}

void main();
