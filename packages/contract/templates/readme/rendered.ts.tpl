import { createClient } from '{{package}}';
import { connection } from 'next/server';

const {{variable}} = createClient({{options}});

export async function {{component}}() {
  await connection(); // Not in a build, which has no key.
  return JSON.stringify(await {{readIndented}});
}
