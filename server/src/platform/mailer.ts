/** One plain-text message to one address. */
export type Mail = { recipient: string; subject: string; bodyText: string };

/** The transport of mail. Rules do not call it: they write a mail to the outbox (mail/outbox.ts), a job sends it. */
export type Mailer = {
  /** False without SMTP_URL: sign-in codes are then shown as dev_code, and other mail is only logged. */
  readonly delivers: boolean;
  /** `messageId` stays the same over retries, so that a receiver can drop the second copy. */
  send(mail: Mail, messageId: string): Promise<void>;
  close(): Promise<void>;
};
