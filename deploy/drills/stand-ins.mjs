/** Whom the service talks to: the customer's receiver of webhooks, Stripe, a mail server, AcoustID. */
import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import { SMTPServer } from 'smtp-server';
import { wavBytes } from '../../scripts/wav-bytes.mjs';
import { ACOUSTID_PORT, LOOPBACK, MAIL_PORT, RECEIVER_PORT, STRIPE_PORT } from './addresses.mjs';

export function startStandIns() {
  const outside = {
    /** Webhooks that came. */
    received: [],
    /** Addresses that got a mail. */
    mails: [],
    /** Keys that AcoustID was asked with, and whether it knew them. */
    lookedUp: [],
    smtpPasswords: new Set(['smtp-1']),
    acoustidKeys: new Set(['acoustid-1']),
  };
  const servers = [startReceiver(outside), startStripe(), startMail(outside), startAcoustid(outside)];
  return {
    ...outside,
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

/** The timestamp was fresh when it came; later it is only the signature that counts. */
export function isSigned({ headers, body }, secrets) {
  const text = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
  const signatures = String(headers['webhook-signature']).split(' ');
  return secrets.some((secret) => {
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
    return signatures.includes(`v1,${createHmac('sha256', key).update(text).digest('base64')}`);
  });
}

/** Twelve seconds of a rising tone, long enough for a fingerprint: 8 kHz, 16 bits, one channel. */
function makeSong() {
  const sampleRateHz = 8_000;
  const samples = Int16Array.from({ length: 12 * sampleRateHz }, (_, n) => {
    const seconds = n / sampleRateHz;
    return Math.round(9_000 * Math.sin(2 * Math.PI * (200 + 60 * seconds) * seconds));
  });
  return wavBytes(samples, { sampleRateHz });
}

function startStripe() {
  let customers = 0;
  return createServer(async (request, response) => {
    await request.toArray();
    customers += 1;
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ id: `cus_${customers}`, object: 'customer', data: [], has_more: false }));
  }).listen(STRIPE_PORT, LOOPBACK);
}

/** Believes the keys of the moment. */
function startAcoustid({ acoustidKeys, lookedUp }) {
  return createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString();
    const { searchParams } = new URL(request.url, 'http://acoustid');
    const key = searchParams.get('client') ?? new URLSearchParams(body).get('client');
    const known = acoustidKeys.has(key);
    lookedUp.push(`${key}: ${known ? 'known' : 'unknown'}`);
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
