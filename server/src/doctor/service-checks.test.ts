import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runCheck } from './check.ts';
import { checkMail } from './service-checks.ts';

const mailConfig = (smtpUrl: string | null, showCodes = false) => ({
  mail: { smtpUrl, from: 'x' },
  showCodes,
});

/** The port of a server that is closed when the test ends. */
async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

describe('the check of mail', () => {
  it('warns without a mail server, and says where sign-in codes go', async () => {
    expect(await runCheck(checkMail(mailConfig(null, true)))).toMatchObject({
      status: 'warning',
      detail: 'SMTP_URL is not set: sign-in codes are shown to anyone who requests one',
    });
    expect(await runCheck(checkMail(mailConfig(null, false)))).toMatchObject({
      status: 'warning',
      detail: 'SMTP_URL is not set: sign-in codes are written only to the log',
    });
  });

  it('signs in, and fails with a wrong password', async () => {
    const { server } = new SMTPServer({
      allowInsecureAuth: true,
      disabledCommands: ['STARTTLS'],
      onAuth: ({ password }, _session, done) =>
        password === 'right' ? done(null, { user: 'u' }) : done(new Error('Not you')),
    });
    const port = await listen(server);
    const check = (password: string) =>
      runCheck(checkMail(mailConfig(`smtp://u:${password}@127.0.0.1:${port}`)));
    expect(await check('right')).toMatchObject({
      status: 'ok',
      detail: `127.0.0.1:${port} answers and takes our credentials`,
    });
    expect(await check('wrong')).toMatchObject({
      status: 'failed',
      detail: expect.stringContaining('Not you'),
    });
  });

  it('fails when the server says nothing after its greeting', async () => {
    const port = await listen(createServer((socket) => void socket.write('220 mail.example ESMTP\r\n')));
    const check = checkMail(mailConfig(`smtp://127.0.0.1:${port}`), 100);
    expect((await runCheck(check)).status).toBe('failed');
  });
});
