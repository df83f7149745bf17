import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { afterAll, beforeEach, expect, it } from 'vitest';
import type { Job } from '../jobs/job.ts';
import { createLogger } from '../platform/log.ts';
import { createMailer } from '../platform/mailer.ts';
import { createTestDatabase } from '../test/database.ts';
import { buildTestContext } from '../test/dependencies.ts';
import { queueMailToMember } from './member-mail.ts';
import { findQueuedMail, queueMail } from './outbox.ts';
import { queueMailToOwner } from './owner-mail.ts';
import { dropMail, sendMail } from './send.ts';

const { db } = await createTestDatabase();

const received: string[] = [];
let refuse = false;
const server = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS'],
  onMailFrom: (_address, _session, done) => done(refuse ? new Error('Try later') : null),
  async onData(stream, _session, done) {
    received.push(Buffer.concat(await stream.toArray()).toString());
    done();
  },
});
server.listen(0, '127.0.0.1');
await once(server.server, 'listening');
const { port } = server.server.address() as AddressInfo;
const mailer = await createMailer({
  smtpUrl: `smtp://127.0.0.1:${port}`,
  from: 'Earshot <earshot@example.com>',
  log: createLogger({ level: 'silent' }),
});
const ctx = await buildTestContext(db, { mailer });
afterAll(async () => {
  await mailer.close();
  await new Promise<void>((resolve) => server.close(resolve));
});
beforeEach(() => {
  received.length = 0;
  refuse = false;
});

const code = { recipient: 'ada@example.com', subject: 'Your code', bodyText: 'Your code is 123456.' };

async function takeJob(): Promise<Job<'mail.send'>> {
  const row = await db.one<{ id: number; payload: { mailId: string } }>(
    `update jobs set state = 'running', claims = 1 where kind = 'mail.send' and state = 'queued' returning id, payload`,
  );
  const lease = { jobId: row.id, claim: 1 };
  const signal = new AbortController().signal;
  return { kind: 'mail.send', payload: row.payload, lease, attempt: 1, attemptsMax: 8, deaths: 0, signal };
}

const readQueue = async () => ({
  mails: await db.query('select * from mail_outbox'),
  jobs: await db.query('select * from jobs'),
});

it('is sent after its transaction has committed, and then deleted', async () => {
  await db.transaction((tx) => queueMail(tx, ctx, code));
  expect(JSON.stringify(await readQueue())).not.toContain('123456');
  await sendMail(ctx, await takeJob());
  expect(received).toHaveLength(1);
  expect(received[0]).toMatch(/^To: ada@example.com\r$/m);
  expect(received[0]).toMatch(/^Message-ID: <mai_[0-9a-z]{26}@earshot>\r$/m);
  expect(received[0]).toContain('Your code is 123456.');
  expect(await readQueue()).toEqual({ mails: [], jobs: [] });
});

it('can be read after SECRET_KEY was rotated, while SECRET_KEY_SECOND has the old key', async () => {
  const next = {
    config: { secretKey: 'the next secret key of this test alone', secretKeySecond: ctx.config.secretKey },
  };
  await db.transaction((tx) => queueMail(tx, ctx, code));
  const job = await takeJob();
  expect(await findQueuedMail(db, next, job.payload.mailId)).toEqual(code);
  const alone = { config: { ...next.config, secretKeySecond: null } };
  await expect(findQueuedMail(db, alone, job.payload.mailId)).rejects.toThrow();
  await sendMail(ctx, job);
});

it('takes its turn in the queue by its recipient, whose address the queue does not know', async () => {
  for (const recipient of ['ada@example.com', 'Ada@Example.com', 'bob@example.com'])
    await db.transaction((tx) => queueMail(tx, ctx, { ...code, recipient }));
  const jobs = await db.query<{ tenant: string }>('delete from jobs returning tenant');
  await db.query('delete from mail_outbox');
  expect(new Set(jobs.map(({ tenant }) => tenant)).size).toBe(2);
  expect(JSON.stringify(jobs)).not.toMatch(/example/i);
});

it('is not queued when the transaction fails', async () => {
  const failing = db.transaction(async (tx) => {
    await queueMail(tx, ctx, code);
    throw new Error('no');
  });
  await expect(failing).rejects.toThrow('no');
  expect(await readQueue()).toEqual({ mails: [], jobs: [] });
});

it('stays queued when the mail server refuses it, and is deleted after the last attempt', async () => {
  refuse = true;
  await db.transaction((tx) => queueMail(tx, ctx, code));
  const job = await takeJob();
  await expect(sendMail(ctx, job)).rejects.toThrow('Try later');
  expect((await readQueue()).mails).toHaveLength(1);
  await dropMail(ctx, job, new Error('Try later'));
  expect(await readQueue()).toEqual({ mails: [], jobs: [] });
});

it('lets neither a subject nor an address add headers', async () => {
  await mailer.send({ ...code, subject: 'Hi\r\nX-Evil: yes' }, 'mai_1');
  expect(received[0]).toMatch(/^Subject: Hi X-Evil: yes\r$/m);
  // One strange recipient, which the server refuses, and not two.
  const sending = mailer.send({ ...code, recipient: 'ada@example.com\r\nBcc: eve@example.com' }, 'mai_2');
  await expect(sending).rejects.toMatchObject({ rejected: ['"ada@example.com Bcc: eve"@example.com'] });
  expect(received).toHaveLength(1);
});

it('is queued for the owner or a member unless they turned that kind off or have left', async () => {
  await db.query(`insert into users (id, email) values ('usr_1', 'owner@example.com')`);
  await db.query(`insert into workspaces (id, name) values ('ws_1', 'One')`);
  await db.query(`insert into memberships (workspace_id, user_id, role) values ('ws_1', 'usr_1', 'owner')`);
  for (const preference of ['billing_updates', 'product_updates'] as const) {
    await db.transaction((tx) =>
      queueMailToOwner(tx, ctx, { workspaceId: 'ws_1', preference, subject: preference, bodyText: 'x' }),
    );
  }
  for (const userId of ['usr_1', 'usr_gone']) {
    const preference = 'billing_updates';
    const mail = {
      workspaceId: 'ws_1',
      userId,
      preference,
      subject: 'To the member',
      bodyText: 'x',
    } as const;
    await db.transaction((tx) => queueMailToMember(tx, ctx, mail));
    await db.transaction((tx) => queueMailToMember(tx, ctx, { ...mail, preference: 'product_updates' }));
  }
  const rows = await db.query<{ id: string }>('select id from mail_outbox order by id');
  const mails = await Promise.all(rows.map(({ id }) => findQueuedMail(db, ctx, id)));
  const recipient = 'owner@example.com';
  expect(mails).toEqual([
    { recipient, subject: 'billing_updates', bodyText: 'x' },
    { recipient, subject: 'To the member', bodyText: 'x' },
  ]);
});

it('is logged instead of sent without a mail server', async () => {
  const lines: string[] = [];
  const log = createLogger({ level: 'info', destination: { write: (line) => lines.push(line) } });
  const silent = await createMailer({ smtpUrl: null, from: 'x', log });
  await silent.send({ recipient: 'ada@example.com', subject: 'Hello', bodyText: 'Text' }, 'mai_1');
  expect(silent.delivers).toBe(false);
  expect(lines.join('')).toContain('Hello');
});
