import { CONTRACT_VERSION, operations } from '@earshot/contract';
import { ENGINE_VERSION } from '@earshot/engine';
import serverPackage from '../../package.json' with { type: 'json' };
import type { Context } from '../context.ts';
import { openApiDocument } from '../docs/openapi-document.ts';
import { documentationAnswer } from '../docs/serve-site.ts';
import { type Implementation, implement } from '../http/implement.ts';
import { isDiskSpaceLow } from '../platform/disk-space.ts';
import { once } from '../platform/once.ts';

const { operational } = operations;

/** `isStopping` turns readiness off before the listener closes, so that a load balancer sends no more requests. */
export function createOperationalRoutes(state: { isStopping: () => boolean }): Implementation[] {
  // Kept as bytes, so that more than 400 kB of text are not encoded for every request.
  const asJson = once(() => Buffer.from(JSON.stringify(openApiDocument())));
  const asYaml = once(async () => {
    const { stringify } = await import('yaml');
    return Buffer.from(stringify(openApiDocument(), { aliasDuplicateObjects: false }));
  });

  return [
    implement(operational.getHealth, async () => ({ status: 200, body: { status: 'ok' } })),
    implement(operational.getReadiness, async (ctx) => {
      const database = (await isDatabaseWritable(ctx)) ? 'ok' : 'failing';
      const isReady = database === 'ok' && !state.isStopping();
      // A full disk does not make the service unready: everything stored can still be read, and each upload is refused on its own.
      const disk = isDiskSpaceLow(await ctx.diskSpace()) ? 'low' : 'ok';
      const checks = { database, accepting: state.isStopping() ? 'failing' : 'ok', disk } as const;
      return isReady
        ? { status: 200, body: { status: 'ready', checks } }
        : { status: 503, body: { status: 'not_ready', checks }, headers: RETRY_SOON };
    }),
    implement(operational.getVersion, async ({ config }) => ({
      status: 200,
      body: {
        service: 'earshot',
        version: serverPackage.version,
        commit: config.commit ?? 'unknown',
        api: `v1 (${CONTRACT_VERSION})`,
        engine: ENGINE_VERSION,
        node: process.versions.node,
      },
    })),
    implement(operational.getOpenapiJson, async () => ({ status: 200, body: asJson(), headers: PUBLIC })),
    implement(operational.getOpenapiYaml, async () => ({
      status: 200,
      body: await asYaml(),
      headers: PUBLIC,
    })),
    implement(operational.getReferencePage, async ({ config }) => documentationAnswer(config, '/docs')),
    implement(operational.getLlmsText, async ({ config }) => documentationAnswer(config, '/llms.txt')),
  ];
}

/** In seconds; about the interval of a readiness probe. */
const RETRY_SOON = { 'Retry-After': '5' };
/** For documents that are the same for every client and change only with a release. */
const PUBLIC = { 'Cache-Control': 'public, max-age=300', 'Access-Control-Allow-Origin': '*' };

/** A read-only database, such as a standby after a failed failover, cannot accept jobs. */
async function isDatabaseWritable(ctx: Context): Promise<boolean> {
  try {
    const [row] = await ctx.db.probe(`select current_setting('transaction_read_only') as read_only`);
    if (row?.read_only === 'on') ctx.log.warn('Readiness: the database is read-only');
    return row?.read_only === 'off';
  } catch (error) {
    ctx.log.warn({ err: error }, 'Readiness: the database does not answer');
    return false;
  }
}
