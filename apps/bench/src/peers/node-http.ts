/** Bare `node:http` and pg: no validation, no keys, no limits, no log. */
import { createServer, type ServerResponse } from 'node:http';
import { afterOf, createPet, getPet, listPets, port } from './pets.ts';

function send(response: ServerResponse, status: number, value: unknown): void {
  const text = JSON.stringify(value);
  response.writeHead(status, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) });
  response.end(text);
}

createServer(async (request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
  if (request.method === 'POST') {
    let text = '';
    for await (const chunk of request) text += chunk;
    return send(response, 201, await createPet(JSON.parse(text)));
  }
  const id = /^\/v1\/pets\/(\d+)$/.exec(pathname)?.[1];
  if (id) {
    const pet = await getPet(Number(id));
    return pet ? send(response, 200, pet) : send(response, 404, {});
  }
  const { limit = '20', status, cursor } = Object.fromEntries(searchParams);
  send(response, 200, await listPets(Number(limit), status, afterOf(cursor)));
}).listen(port, '127.0.0.1');
