import { SMTPServer } from 'smtp-server';
import { until } from '../until.ts';
import { listenOnLoopback } from './listen.ts';

const CODE = /^Subject: (\d{6})\b/m;
const VERIFICATION_TOKEN = /verify-email: ([\w-]{43})/;

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
    onData(stream, { envelope }, done) {
      const receive = async (): Promise<void> => {
        const text = Buffer.concat(await stream.toArray())
          .toString()
          .replaceAll('\r\n', '\n');
        // Joins the lines that quoted-printable encoding has split.
        mails.push({ recipient: envelope.rcptTo[0]!.address, text: text.replaceAll('=\n', '') });
      };
      receive().then(() => done(), done);
    },
  });
  // Scenarios kill senders, which resets their connections, also in the middle of a mail.
  sink.on('error', () => {});
  const { port, close } = await listenOnLoopback(sink.server);
  /** What the group of the pattern matches in the mails to the recipient, newest first. */
  const findAll = (recipient: string, pattern: RegExp) =>
    mails
      .filter((mail) => mail.recipient === recipient)
      .flatMap(({ text }) => pattern.exec(text)?.[1] ?? [])
      .reverse();
  const waitFor = async (recipient: string, pattern: RegExp, what: string, timeoutMs: number) => {
    await until(() => findAll(recipient, pattern).length > 0, timeoutMs);
    const [newest] = findAll(recipient, pattern);
    if (newest === undefined) throw new Error(`No ${what} was mailed to ${recipient}`);
    return newest;
  };
  return {
    port,
    mails,
    codesFor: (recipient) => findAll(recipient, CODE),
    codeFor: (recipient, timeoutMs) => waitFor(recipient, CODE, 'sign-in code', timeoutMs),
    verificationTokenFor: (recipient, timeoutMs) =>
      waitFor(recipient, VERIFICATION_TOKEN, 'verification token', timeoutMs),
    close,
  };
}
