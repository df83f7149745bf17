import { SMTPServer } from 'smtp-server';
import { until } from '../until.ts';
import { listenOnLoopback } from './listen.ts';

export type Mail = { recipient: string; text: string };

export type MailSink = {
  port: number;
  mails: Mail[];
  /** All sign-in codes mailed to the address, newest first. */
  codesFor(recipient: string): string[];
  /** The newest code; waits until there is one. */
  codeFor(recipient: string, timeoutMs: number): Promise<string>;
  /** The token that verifies a registered address; waits until it is mailed. */
  verificationTokenFor(recipient: string, timeoutMs: number): Promise<string>;
  close(): Promise<void>;
};

export async function startMailSink(): Promise<MailSink> {
  const mails: Mail[] = [];
  const sink = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    onAuth: (_auth, _session, done) => done(null, { user: 'mailer' }),
    async onData(stream, { envelope }, done) {
      const text = Buffer.concat(await stream.toArray())
        .toString()
        .replaceAll('\r\n', '\n');
      // Joins the lines that quoted-printable encoding has split.
      mails.push({ recipient: envelope.rcptTo[0]?.address ?? '', text: text.replaceAll('=\n', '') });
      done();
    },
  });
  // Scenarios kill senders, which resets their connections.
  sink.on('error', () => {});
  const { port, close } = await listenOnLoopback(sink.server);
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
