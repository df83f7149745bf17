/** Stand-ins for the outside world: the customer's webhook receiver, Stripe, a mail server, AcoustID. */
import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import { SMTPServer } from 'smtp-server';
import { wavBytes } from '../../scripts/wav-bytes.mjs';
import { ACOUSTID_PORT, LOOPBACK, MAIL_PORT, RECEIVER_PORT, STRIPE_PORT } from './addresses.mjs';

export function startStandIns() {
  const state = {
    /** Webhooks, in order of arrival. */
    received: [],
    /** Recipients of the mails. */
    mails: [],
    /** The key of each request to AcoustID, and whether it was valid. */
    lookups: [],
    smtpPasswords: new Set(['smtp-1']),
    acoustidKeys: new Set(['acoustid-1']),
  };
  const servers = [startReceiver(state), startStripe(), startMail(state), startAcoustid(state)];
  return {
    ...state,
    close() {
      for (const server of servers) server.close();
    },
  };
}

function startReceiver({ received }) {
  return createServer(async (request, response) => {
    if (request.method === 'GET') return void response.setHeader('content-type', 'audio/wav').end(makeSong());
    const body = Buffer.concat(await request.toArray()).toString();
    received.push({ jobId: JSON.parse(body).data.job_id, headers: request.headers, body });
    response.end();
  }).listen(RECEIVER_PORT, LOOPBACK);
}

/** Standard Webhooks; the age of the timestamp is not checked, because the secrets of a whole run are tried afterwards. */
export function isSigned({ headers, body }, secrets) {
  const text = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
  const signatures = String(headers['webhook-signature']).split(' ');
  return secrets.some((secret) => {
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
    return signatures.includes(`v1,${createHmac('sha256', key).update(text).digest('base64')}`);
  });
}

/** Twelve seconds of a rising tone, long enough for an acoustic fingerprint. */
function makeSong() {
  const sampleRateHz = 8_000;
  const durationSeconds = 12;
  const samples = Int16Array.from({ length: durationSeconds * sampleRateHz }, (_, n) => {
    const seconds = n / sampleRateHz;
    return Math.round(9_000 * Math.sin(2 * Math.PI * (200 + 60 * seconds) * seconds));
  });
  return wavBytes(samples, { sampleRateHz });
}

function startStripe() {
  let customerCount = 0;
  return createServer(async (request, response) => {
    await request.toArray();
    customerCount += 1;
    response.setHeader('content-type', 'application/json');
    response.end(
      JSON.stringify({ id: `cus_${customerCount}`, object: 'customer', data: [], has_more: false }),
    );
  }).listen(STRIPE_PORT, LOOPBACK);
}

/** Accepts the keys that are valid at the moment. */
function startAcoustid({ acoustidKeys, lookups }) {
  return createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString();
    const { searchParams } = new URL(request.url, 'http://acoustid');
    const key = searchParams.get('client') ?? new URLSearchParams(body).get('client');
    const known = acoustidKeys.has(key);
    lookups.push(`${key}: ${known ? 'known' : 'unknown'}`);
    response.writeHead(known ? 200 : 400, { 'content-type': 'application/json' });
    response.end(JSON.stringify(known ? { status: 'ok', results: [] } : { status: 'error' }));
  }).listen(ACOUSTID_PORT, LOOPBACK);
}

function startMail({ smtpPasswords, mails }) {
  const server = new SMTPServer({
    authOptional: false,
    disabledCommands: ['STARTTLS'],
    onAuth: ({ password }, _session, done) =>
      smtpPasswords.has(password) ? done(null, { user: 'earshot' }) : done(new Error('wrong password')),
    onData(stream, session, done) {
      stream.resume().on('end', () => {
        mails.push(session.envelope.rcptTo[0].address);
        done();
      });
    },
  });
  return server.listen(MAIL_PORT, LOOPBACK);
}
