// nginx: bodies without end and clients that hold connections cost neither its disk nor the other clients.
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:tls';
import { SERVICE } from './document.mjs';
import { eventually, expect, send, sh } from './shell.mjs';

/** A connection to nginx, and the first line of what it has received at its end. */
async function connected() {
  const ca = readFileSync(`/etc/${SERVICE}/ca.crt`);
  const socket = connect({ port: 443, host: '127.0.0.1', ca, servername: `${SERVICE}.example.com` });
  let answer = '';
  socket.setEncoding('utf8').on('data', (text) => {
    answer += text;
  });
  // A reset follows the response, if the client still sends.
  socket.on('error', () => {});
  const ended = new Promise((resolve) => socket.once('close', () => resolve(answer.split('\r\n', 1)[0])));
  await once(socket, 'secureConnect');
  return { socket, ended };
}
const begin = ({ socket }, head) => socket.write(`${head}\r\nHost: ${SERVICE}.example.com\r\n`);

export async function tryNginx({ path, headers, read }) {
  const forged = await send(path, { headers: { ...headers, 'X-Request-Id': 'forged' } });
  expect('the request id is of nginx', /^[\da-f]{32}$/.test(forged.headers['x-request-id']), true);
  expect('/readyz for strangers', (await send('/readyz')).status, 404);
  const type = { 'Content-Type': 'application/json' };
  const large = { method: 'POST', headers: { ...headers, ...type }, body: 'x'.repeat(100_000) };
  const { status, body } = await send(path, large);
  expect('a large body', [status, JSON.parse(body).code], [413, 'payload_too_large']);
  const free = () => Number(sh(`df --output=used --block-size=1M / | tail --lines 1`));
  const before = free();
  const json = 'Content-Type: application/json\r\n';
  // Without a key, it declares 20 GB, and sends as much as anybody takes.
  const flood = await connected();
  begin(flood, `POST ${path} HTTP/1.1`);
  flood.socket.write(`${json}Content-Length: 20000000000\r\n\r\n`);
  const block = Buffer.alloc(1_000_000, 32);
  for (let sent = 0; !flood.socket.destroyed && sent < 400; sent++)
    await Promise.race([new Promise((resolve) => flood.socket.write(block, resolve)), flood.ended]);
  // A client that goes on sending may get a reset before it has read the response (RFC 9112, section 9.6).
  const answer = await flood.ended;
  expect(`the flood is refused, by ${answer}`, /^($|HTTP\/1.1 413 )/.test(answer), true);
  expect('megabytes on the disk', free() - before < 20, true);

  // Bodies that never end hold the share of their address, and no server.
  const authorization = `Authorization: ${headers.Authorization}\r\n`;
  const slow = [];
  const trickle = setInterval(() => {
    for (const { socket } of slow) if (socket.writable) socket.write(' ');
  }, 1_000);
  let refused;
  do {
    const further = await Promise.all(Array.from({ length: 20 }, connected));
    for (const each of further) {
      begin(each, `POST ${path} HTTP/1.1`);
      each.socket.write(`${authorization}${json}Content-Length: 50000\r\n\r\n{`);
    }
    slow.push(...further);
    refused = await send(path, { headers });
  } while (refused.status === 200 && slow.length < 2_000);
  expect(`the share of an address, after ${slow.length} slow bodies`, refused.status, 429);
  // Another address is served meanwhile.
  const other = `curl --silent --interface 127.0.0.2 --cacert /etc/${SERVICE}/ca.crt --resolve ${SERVICE}.example.com:443:127.0.0.1`;
  const code = `--output /dev/null --write-out '%{http_code}' --header 'Authorization: ${headers.Authorization}'`;
  expect('another address', sh(`${other} ${code} https://${SERVICE}.example.com${path}`), '200');
  const metrics = await (await fetch('http://127.0.0.1:9464/metrics')).text();
  expect('requests of a server meanwhile', /^http_server_active_requests (\d+)$/m.exec(metrics)?.[1], '0');
  clearInterval(trickle);
  for (const { socket } of slow) socket.destroy();
  await eventually('a request afterwards', async () => (await read()) === 200);
}
