import type { FastifyInstance } from 'fastify';
import type { Config } from '../config.ts';
import { AppError } from '../errors.ts';

const NAME_OF_THIS_MACHINE = /^(localhost|[\w-]+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/**
 * A page elsewhere can let its own name point at the loopback (DNS rebinding); its visitor's browser then takes our answers
 * for the page's. A service for this machine alone shows sign-in codes, so it answers to no name but this machine's.
 */
export function refuseForeignNames(app: FastifyInstance, config: Pick<Config, 'local' | 'baseUrl'>): void {
  if (!config.local) return;
  const own = new URL(config.baseUrl).hostname;
  app.addHook('onRequest', async ({ headers }) => {
    const name = headers.host?.replace(/:\d*$/, '').toLowerCase();
    if (name === undefined || name === own || NAME_OF_THIS_MACHINE.test(name)) return;
    const message = `This service answers as localhost alone and was asked as ${name}. Set BASE_URL to the address it is to be reached by.`;
    throw new AppError('bad_request', message);
  });
}
