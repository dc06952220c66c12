// A plain backend: serves pets.ts at /api/pets, and the built Vite app.
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { GET, POST } from './pets.ts';

const PAGE = path.join(import.meta.dirname, '../vite/dist');
const TYPES: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' };

async function respond(incoming: IncomingMessage, reply: ServerResponse): Promise<void> {
  const { method = 'GET', url = '/', headers } = incoming;
  const { pathname } = new URL(url, 'http://localhost');
  if (pathname !== '/api/pets') {
    const file = path.join(PAGE, pathname === '/' ? 'index.html' : path.basename(pathname));
    reply.setHeader('Content-Type', TYPES[path.extname(file)] ?? 'text/plain').end(await readFile(file));
    return;
  }
  // A browser that gives up ends the call, too.
  const gone = new AbortController();
  reply.once('close', () => gone.abort());
  const request = new Request(new URL(url, 'http://localhost'), {
    method,
    headers: new Headers(headers as Record<string, string>),
    signal: gone.signal,
    ...(method === 'POST' && { body: await text(incoming) }),
  });
  const response = await (method === 'POST' ? POST(request) : GET(request));
  reply.writeHead(response.status, Object.fromEntries(response.headers)).end(await response.text());
}

const server = createServer((incoming, reply) => {
  respond(incoming, reply).catch((error: NodeJS.ErrnoException) => {
    reply.writeHead(error.code === 'ENOENT' ? 404 : 500).end();
    if (error.code !== 'ENOENT') console.error(error);
  });
});
const port = Number(process.env.PORT ?? 8080);
server.listen(port, '127.0.0.1', () => console.log(`http://127.0.0.1:${port}`));
