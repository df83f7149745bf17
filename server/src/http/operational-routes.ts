import { allOperations, buildOpenApiDocument, CONTRACT_VERSION, operations } from '@earshot/contract';
import { ENGINE_VERSION } from '@earshot/engine';
import { stringify as toYaml } from 'yaml';
import serverPackage from '../../package.json' with { type: 'json' };
import type { Context } from '../context.ts';
import { type Implementation, implement } from './implement.ts';
import { buildLlmsText } from './llms-text.ts';
import { buildReferencePage } from './reference-page.ts';

const { operational } = operations;

/** `isStopping` turns readiness off before the listener closes, so that nobody is sent here any more. */
export function createOperationalRoutes(state: { isStopping: () => boolean }): Implementation[] {
  const document = once(() => buildOpenApiDocument(allOperations, CONTRACT_VERSION));
  const asJson = once(() => JSON.stringify(document()));
  const asYaml = once(() => toYaml(document(), { aliasDuplicateObjects: false }));
  const page = once(() => buildReferencePage(allOperations, document()));

  return [
    implement(operational.getHealth, async () => ({ status: 200, body: { status: 'ok' } })),
    implement(operational.getReadiness, async (ctx) => {
      const database = (await isDatabaseThere(ctx)) ? 'ok' : 'failing';
      const ready = database === 'ok' && !state.isStopping();
      const checks = { database, accepting: state.isStopping() ? 'failing' : 'ok' } as const;
      return ready
        ? { status: 200, body: { status: 'ready', checks } }
        : { status: 503, body: { status: 'not_ready', checks }, headers: { 'Retry-After': '5' } };
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
    implement(operational.getOpenapiYaml, async () => ({ status: 200, body: asYaml(), headers: PUBLIC })),
    implement(operational.getReferencePage, async () => ({ status: 200, body: page(), headers: PUBLIC })),
    implement(operational.getLlmsText, async ({ config }) => {
      return { status: 200, body: buildLlmsText(allOperations, config.baseUrl), headers: PUBLIC };
    }),
  ];
}

/** Made when first asked for: a start should not wait for documents. */
function once<T>(make: () => T): () => T {
  let made: { value: T } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** The same for everybody, and only a new release changes it. */
const PUBLIC = { 'Cache-Control': 'public, max-age=300', 'Access-Control-Allow-Origin': '*' };

async function isDatabaseThere(ctx: Context): Promise<boolean> {
  try {
    await ctx.db.query('select 1');
    return true;
  } catch (error) {
    ctx.log.warn({ err: error }, 'Readiness: the database does not answer');
    return false;
  }
}
