import type { Logger } from './log.ts';

/** One plain-text message to one address. */
export type Mail = { recipient: string; subject: string; bodyText: string };

/** Sends mail. Domains do not call it: they queue a mail (mail/outbox.ts), which a job sends. */
export type Mailer = {
  /** False without SMTP_URL: mail is then only logged, and sign-in codes are in the answer where that is allowed (showsCodes). */
  readonly delivers: boolean;
  /** `messageId` is the same for every retry, so that a receiver can drop a second copy. */
  send(mail: Mail, messageId: string): Promise<void>;
  close(): Promise<void>;
};

/** Chosen: a server that takes longer is tried again later. */
const CONNECT_TIMEOUT_MS = 10_000;
const SILENCE_TIMEOUT_MS = 30_000;
/** Chosen: mail is rare. */
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
    // A mail never includes files or the contents of URLs.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    delivers: true,
    async send({ recipient, subject, bodyText }, messageId) {
      await transport.sendMail({
        from,
        // An object, because nodemailer would read several addresses from a string; the object must have a name.
        to: { name: '', address: recipient },
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
