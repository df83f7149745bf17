import { createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { until } from '../until.ts';
import { listenOnLoopback } from './listen.ts';

export type Mail = { recipient: string; text: string };

export type MailSink = {
  port: number;
  mails: Mail[];
  /** All sign-in codes mailed to the address, the newest first. */
  codesFor(recipient: string): string[];
  /** The newest one, as soon as there is one. */
  codeFor(recipient: string, timeoutMs: number): Promise<string>;
  /** The token that proves a registered address, as soon as it was mailed. */
  verificationTokenFor(recipient: string, timeoutMs: number): Promise<string>;
  close(): Promise<void>;
};

/** As much of SMTP (RFC 5321) as one client needs to hand over its mail. */
export async function startMailSink(): Promise<MailSink> {
  const mails: Mail[] = [];
  const server = createServer((socket) => {
    socket.on('error', () => {});
    const say = (line: string) => socket.write(`${line}\r\n`);
    let recipient = '';
    let text: string[] | null = null;
    say('220 sink');
    // The interface passes on what goes wrong with the socket.
    const lines = createInterface({ input: socket }).on('error', () => {});
    lines.on('line', (line) => {
      if (text !== null) {
        if (line !== '.') return void text.push(line.replace(/^\.\./, '.'));
        mails.push({ recipient, text: text.join('\n').replace(/=\n/g, '') });
        text = null;
        return void say('250 kept');
      }
      const verb = line.slice(0, 4).toUpperCase();
      if (verb === 'EHLO') return void socket.write('250-sink\r\n250 AUTH PLAIN\r\n');
      if (verb === 'AUTH') return void say('235 welcome');
      if (verb === 'RCPT') recipient = /<([^>]*)>/.exec(line)?.[1] ?? '';
      if (verb === 'DATA') {
        text = [];
        return void say('354 go on');
      }
      if (verb === 'QUIT') return void socket.end('221 bye\r\n');
      say('250 fine');
    });
  });
  const { port, close } = await listenOnLoopback(server);
  const codesFor = (recipient: string) =>
    mails
      .filter((mail) => mail.recipient === recipient)
      .flatMap(({ text }) => /^Subject: (\d{6})\b/m.exec(text)?.[1] ?? [])
      .reverse();
  const tokenFor = (recipient: string) =>
    mails
      .filter((mail) => mail.recipient === recipient)
      .map(({ text }) => /verify-email: ([\w-]{43})/.exec(text)?.[1])
      .find((token) => token !== undefined);
  return {
    port,
    mails,
    codesFor,
    async verificationTokenFor(recipient, timeoutMs) {
      await until(() => tokenFor(recipient) !== undefined, timeoutMs);
      const token = tokenFor(recipient);
      if (token === undefined) throw new Error(`No verification token was mailed to ${recipient}`);
      return token;
    },
    async codeFor(recipient, timeoutMs) {
      await until(() => codesFor(recipient).length > 0, timeoutMs);
      const [code] = codesFor(recipient);
      if (code === undefined) throw new Error(`No sign-in code was mailed to ${recipient}`);
      return code;
    },
    close,
  };
}
