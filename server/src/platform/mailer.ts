import type { Logger } from './log.ts';

/** One plain-text message to one address. */
export type Mail = { recipient: string; subject: string; bodyText: string };

/** The transport of mail. Rules do not call it: they queue a mail (mail/outbox.ts), and a job sends it. */
export type Mailer = {
  /** False without SMTP_URL: sign-in codes are then shown as dev_code, and other mail is only logged. */
  readonly delivers: boolean;
  /** `messageId` stays the same over retries, so that a receiver can drop the second copy. */
  send(mail: Mail, messageId: string): Promise<void>;
  close(): Promise<void>;
};

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
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 30_000,
    pool: true,
    maxConnections: 2,
    // The text is ours; nothing in it is to be read from files or addresses.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    delivers: true,
    async send({ recipient, subject, bodyText }, messageId) {
      await transport.sendMail({
        from,
        // As an object: of a text nodemailer would read several addresses, and without a name it refuses the object.
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
