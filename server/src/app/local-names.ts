import type { FastifyInstance } from 'fastify';
import type { Config } from '../config.ts';
import { AppError } from '../errors.ts';

const NAME_OF_THIS_MACHINE = /^(localhost|[\w-]+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/**
 * A foreign page can make its own host name resolve to the loopback (DNS rebinding); the browser then lets it read our answers. A
 * service for this machine alone shows sign-in codes in its answers, so it refuses every host name but those of this machine.
 */
export function refuseForeignNames(app: FastifyInstance, config: Pick<Config, 'local' | 'baseUrl'>): void {
  if (!config.local) return;
  const own = new URL(config.baseUrl).hostname;
  app.addHook('onRequest', async ({ headers }) => {
    const name = headers.host?.replace(/:\d*$/, '').toLowerCase();
    if (name === undefined || name === own || NAME_OF_THIS_MACHINE.test(name)) return;
    const message = `This service is for its own machine alone and was asked as ${name}. Set BASE_URL to the address it is to be reached by.`;
    throw new AppError('bad_request', message);
  });
}
