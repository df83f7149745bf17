import { createConnection, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { afterAll, expect, it } from 'vitest';
import { startMailSink } from './mail-sink.ts';

/** Longer than a mail takes, even on a busy machine. */
const MAIL_MS_MAX = 10_000;
const sink = await startMailSink();
afterAll(() => sink.close());

/** Sends a mail as SMTP commands, each after the answer to the one before. */
async function send(recipient: string, message: string): Promise<void> {
  await converse([...upToData(recipient), `${message.replaceAll('\n', '\r\n')}\r\n.`, 'QUIT']);
}

function upToData(recipient: string): string[] {
  return [
    'HELO localhost',
    // The user "mailer" with the password "secret".
    `AUTH PLAIN ${Buffer.from('\0mailer\0secret').toString('base64')}`,
    'MAIL FROM:<earshot@example.com>',
    `RCPT TO:<${recipient}>`,
    'DATA',
  ];
}

/** Sends the commands, and leaves at the answer to the last. */
async function converse(
  commands: string[],
  leave: (socket: Socket) => void = (socket) => socket.end(),
): Promise<void> {
  const socket = createConnection(sink.port, '127.0.0.1');
  const answers: string[] = [];
  createInterface({ input: socket }).on('line', (answer) => {
    answers.push(answer);
    const command = commands.shift();
    if (command === undefined) leave(socket);
    else socket.write(`${command}\r\n`);
  });
  await new Promise((resolve) => socket.once('close', resolve));
  for (const answer of answers) expect(answer).toMatch(/^[23]/);
}

it('finds the codes of a recipient, newest first, and waits for the first one', async () => {
  const code = sink.codeFor('one@example.com', MAIL_MS_MAX);
  await send('two@example.com', 'Subject: 999999 is your code\n\nHello');
  await send('one@example.com', 'Subject: 111111 is your code\n\nHello');
  expect(await code).toBe('111111');
  await send('one@example.com', 'Subject: 222222 is your code\n\nHello');
  await send('one@example.com', 'Subject: welcome\n\n333333');
  expect(sink.codesFor('one@example.com')).toEqual(['222222', '111111']);
});

it('joins the lines that quoted-printable has split, also within a token', async () => {
  const token = 'A'.repeat(43);
  await send(
    'three@example.com',
    `Subject: hello\n\nverify-email: ${token.slice(0, 20)}=\n${token.slice(20)}`,
  );
  expect(await sink.verificationTokenFor('three@example.com', MAIL_MS_MAX)).toBe(token);
});

it.each<[how: string, die: (socket: Socket) => void]>([
  ['closes', (socket) => socket.end()],
  ['resets', (socket) => socket.resetAndDestroy()],
])('ignores a mail whose sender dies in the middle, which %s its connection', async (_, die) => {
  sink.mails.length = 0;
  await converse(upToData('four@example.com'), (socket) => {
    socket.write('Subject: 333333 is your code\r\n');
    // Nothing shows that the sink has read the line, and a reset discards what it has not read.
    setTimeout(() => die(socket), 50);
  });
  await send('four@example.com', 'Subject: 444444 is your code\n\nHello');
  expect(sink.mails.filter(({ recipient }) => recipient === 'four@example.com')).toHaveLength(1);
});

it('throws when no mail comes in time', async () => {
  await expect(sink.codeFor('nobody@example.com', 1)).rejects.toThrow('No sign-in code was mailed');
  await expect(sink.verificationTokenFor('nobody@example.com', 1)).rejects.toThrow('No verification token');
});
