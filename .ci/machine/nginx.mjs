// nginx: bodies without end and clients that hold connections cost neither its disk nor the other clients.
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:tls';
import { SERVICE } from './document.mjs';
import { expect, send, sh } from './shell.mjs';

const connected = async () => {
  const ca = readFileSync(`/etc/${SERVICE}/ca.crt`);
  const socket = connect({ port: 443, host: '127.0.0.1', ca, servername: `${SERVICE}.example.com` });
  socket.on('error', () => {});
  await once(socket, 'secureConnect');
  return socket;
};
const begin = (socket, head) => socket.write(`${head}\r\nHost: ${SERVICE}.example.com\r\n`);
const answerOf = async (socket) => {
  let answer = '';
  socket.setEncoding('utf8').on('data', (text) => {
    answer += text;
  });
  await once(socket, 'close');
  return answer;
};

export async function tryNginx({ path, headers, read }) {
  const forged = await send(path, { headers: { ...headers, 'X-Request-Id': 'forged' } });
  expect('the request id is of nginx', /^[\da-f]{32}$/.test(forged.headers['x-request-id']), true);
  expect('/readyz for strangers', (await send('/readyz')).status, 404);
  const free = () => Number(sh(`df --output=used --block-size=1M / | tail --lines 1`));
  const [before, start] = [free(), performance.now()];
  const type = 'Content-Type: application/json\r\n';
  // Without a key, it declares 20 GB, and sends as much as anybody takes.
  const flood = await connected();
  begin(flood, `POST ${path} HTTP/1.1`);
  flood.write(`${type}Content-Length: 20000000000\r\n\r\n`);
  const flooded = answerOf(flood);
  let sent = 0;
  const block = Buffer.alloc(1_000_000, 32);
  while (!flood.destroyed && sent < 400) {
    flood.write(block, () => {});
    sent += 1;
    await Promise.race([once(flood, 'drain').catch(() => {}), once(flood, 'close')]);
  }
  expect('the flood is refused', / (401|413) /.test((await flooded).split('\r\n', 1)[0]), true);
  expect('megabytes on the disk', free() - before < 20, true);

  // Bodies that never end are ended by the server. A share of an address is all that they hold.
  const authorization = `Authorization: ${headers.Authorization}\r\n`;
  // More than a share, because a request below may take the place of one. All begin at once: a busy machine takes long to connect them.
  const slow = await Promise.all(Array.from({ length: 300 }, connected));
  for (const socket of slow) {
    begin(socket, `POST ${path} HTTP/1.1`);
    socket.write(`${authorization}${type}Content-Length: 50000\r\n\r\n{`);
  }
  const ends = slow.map(answerOf);
  const trickle = setInterval(() => {
    for (const socket of slow) if (socket.writable) socket.write(' ');
  }, 1_000);
  let refused;
  const count = () => slow.filter(({ destroyed }) => !destroyed).length;
  let held;
  do {
    held = count();
    refused = await send(path, { headers });
  } while (refused.status === 200 && held > 0);
  expect(`the share of an address, of which ${held} are held`, refused.status, 429);
  // Another address is served meanwhile.
  const other = `curl --silent --interface 127.0.0.2 --cacert /etc/${SERVICE}/ca.crt --resolve ${SERVICE}.example.com:443:127.0.0.1`;
  const code = `--output /dev/null --write-out '%{http_code}' --header 'Authorization: ${headers.Authorization}'`;
  expect('another address', sh(`${other} ${code} https://${SERVICE}.example.com${path}`), '200');
  const answers = (await Promise.all(ends)).map((answer) => answer.split('\r\n', 1)[0]);
  clearInterval(trickle);
  console.log(`Slow bodies after ${Math.round((performance.now() - start) / 1_000)} s: ${[...new Set(answers)]}`);
  expect('a request afterwards', await read(), 200);
}
