// The same backend as without Next.js.
export { GET, POST } from '../../../../own-backend/pets.ts';
