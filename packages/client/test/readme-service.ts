// This is the service for the snippets of the README. It replaces fetch and responds by the contract.
const pets = Array.from({ length: 3 }, (_, index) => ({ id: index + 1, name: 'Biscuit', categoryId: 7 }));

const fail = (status: number, code: string) =>
  Response.json({ code, message: 'as the README says', status }, { status });

globalThis.fetch = async (input, init) => {
  const request = new Request(input, init);
  const { pathname, searchParams } = new URL(request.url);
  if (request.headers.get('Authorization') !== 'Bearer YOUR_API_KEY') return fail(401, 'api_key_invalid');
  if (request.method === 'POST') {
    const body = (await request.json()) as { name: string };
    return body.name ? Response.json({ ...body, id: 4 }, { status: 201 }) : fail(400, 'invalid_request');
  }
  const id = /^\/v1\/pets\/(\d+)$/.exec(pathname)?.[1];
  if (id) {
    const headers = { Sunset: 'Thu, 05 Dec 2030 00:00:00 GMT', Link: '</v1/pets>; rel="successor-version"' };
    const pet = pets[Number(id) - 1];
    return pet ? Response.json(pet, { headers }) : fail(404, 'not_found');
  }
  const start = Number(searchParams.get('cursor') ?? 0);
  const more = start + 2 < pets.length;
  return Response.json(pets.slice(start, start + 2), {
    headers: more ? { Link: `</v1/pets?cursor=${start + 2}>; rel="next"` } : {},
  });
};
