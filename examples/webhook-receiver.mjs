/**
 * Receives webhooks: reads the raw bytes, verifies the signature, answers at once, and handles each event only once, because a
 * delivery can arrive twice. A real receiver stores the event ids in its database and deletes those older than a week.
 *
 *   EARSHOT_API_KEY=es_live_… node examples/webhook-receiver.mjs http://localhost:8080 [PORT] [PUBLIC_URL]
 *
 * It registers itself as an endpoint, requests a test call, and runs until Ctrl+C; with --once it ends after the test call.
 * A service calls 127.0.0.1 only when started with ALLOW_PRIVATE_TARGETS=127.0.0.1/32; otherwise pass a public URL.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { Webhook } from 'standardwebhooks';

const [service = 'http://localhost:8080', port = '0', publicUrl] = process.argv
  .slice(2)
  .filter((argument) => argument !== '--once');
const baseUrl = service.replace(/\/+$/, '');
/** Every event is smaller: 16 pairs of metadata, each 540 characters that JSON escapes by six bytes, are 52 kB. */
const BODY_BYTES_MAX = 64_000;
const headers = {
  authorization: `Bearer ${process.env.EARSHOT_API_KEY}`,
  'content-type': 'application/json',
};

let verifier = null;
const seen = new Set();
const server = createServer(async (request, response) => {
  let event;
  try {
    event = verifier.verify(await readBody(request), request.headers);
  } catch {
    console.log('a call that is not from Earshot was refused');
    return response.writeHead(401).end();
  }
  // Answer before working: a delivery that is answered too late is sent again.
  response.writeHead(204).end();
  const id = request.headers['webhook-id'];
  if (seen.has(id)) return;
  seen.add(id);
  handle(event);
});
server.listen(Number(port), '127.0.0.1');
await once(server, 'listening');

const endpoint = await call('POST', '/v1/webhook-endpoints', {
  url: publicUrl ?? `http://127.0.0.1:${server.address().port}/`,
});
verifier = new Webhook(endpoint.signing_secret);
console.log(`listening at ${endpoint.url}`);
try {
  const test = await call('POST', `/v1/webhook-endpoints/${endpoint.id}/test`);
  console.log(`test call ${test.status}`);
  if (!process.argv.includes('--once'))
    await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
} finally {
  await call('DELETE', `/v1/webhook-endpoints/${endpoint.id}`);
  server.closeAllConnections();
  server.close();
}

/** The raw bytes, which the signature covers. Throws when the caller hangs up or sends too much. */
async function readBody(request) {
  const chunks = [];
  let byteCount = 0;
  for await (const chunk of request) {
    byteCount += chunk.length;
    if (byteCount > BODY_BYTES_MAX) throw new Error('too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Here your program does its work; the links of an event lead to the data. */
function handle({ type, data }) {
  if (type === 'analysis.completed') console.log(`${data.job_id} is done: ${data.links.result}`);
  else if (type === 'analysis.failed') console.log(`${data.job_id} failed: ${data.error?.message}`);
  else console.log(`${type} verified`);
}

async function call(method, path, body) {
  const response = await fetch(baseUrl + path, {
    method,
    headers: body === undefined ? { authorization: headers.authorization } : headers,
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`);
  return answer;
}
