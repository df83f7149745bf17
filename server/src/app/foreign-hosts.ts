import type { FastifyInstance } from 'fastify';
import type { Config } from '../config.ts';
import { AppError } from '../errors.ts';

const LOOPBACK_HOST = /^(localhost|[\w-]+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/**
 * Guards a service that only this machine can reach, which shows sign-in codes in its answers, against DNS rebinding: a web page can
 * make its own host name resolve to the loopback, and the browser then lets it read our answers. So only names of this machine and
 * the host of BASE_URL are accepted.
 */
export function refuseForeignHosts(app: FastifyInstance, config: Pick<Config, 'local' | 'baseUrl'>): void {
  if (!config.local) return;
  const ownHost = new URL(config.baseUrl).hostname;
  app.addHook('onRequest', async ({ headers }) => {
    const host = headers.host?.replace(/:\d*$/, '').toLowerCase();
    if (host === undefined || host === ownHost || LOOPBACK_HOST.test(host)) return;
    const message = `This service accepts requests only from its own machine, but was called as ${host}. Set BASE_URL to the address that clients use.`;
    throw new AppError('bad_request', message);
  });
}
