import type { Logger } from './log.ts';

/** One plain-text message to one address. */
export type Mail = { recipient: string; subject: string; bodyText: string };

/** Sends mail. Only the job of mail/send.ts calls it; domains queue their mails (mail/outbox.ts). */
export type Mailer = {
  /** False without SMTP_URL: mail is then only logged, and sign-in codes may be returned in the answer (showsCodes). */
  readonly delivers: boolean;
  /** `messageId` is the same for every retry, so that a receiver can drop a second copy. */
  send(mail: Mail, messageId: string): Promise<void>;
  close(): Promise<void>;
};

/** Short, because the job of the mail tries again later. */
const CONNECT_TIMEOUT_MS = 10_000;
const SILENCE_TIMEOUT_MS = 30_000;
/** Mail is rare. */
const CONNECTIONS_MAX = 2;

export async function createMailer(options: {
  smtpUrl: string | null;
  from: string;
  log: Logger;
}): Promise<Mailer> {
  const { smtpUrl, from, log } = options;
  if (smtpUrl === null) {
    return {
      delivers: false,
      async send({ recipient, subject, bodyText }) {
        log.info({ recipient, subject, bodyText }, 'No SMTP_URL is set; this mail is not sent');
      },
      close: async () => {},
    };
  }
  const { createTransport } = await import('nodemailer');
  const transport = createTransport({
    url: smtpUrl,
    connectionTimeout: CONNECT_TIMEOUT_MS,
    greetingTimeout: CONNECT_TIMEOUT_MS,
    socketTimeout: SILENCE_TIMEOUT_MS,
    pool: true,
    maxConnections: CONNECTIONS_MAX,
    // Our mails include no files and no contents of URLs.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    delivers: true,
    async send({ recipient, subject, bodyText }, messageId) {
      await transport.sendMail({
        from,
        // An object, because nodemailer would parse a string as a list of addresses.
        to: { address: recipient },
        subject,
        text: bodyText,
        messageId: `<${messageId}@earshot>`,
        headers: { 'Auto-Submitted': 'auto-generated' },
      });
    },
    async close() {
      transport.close();
    },
  };
}
