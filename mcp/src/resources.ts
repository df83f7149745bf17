/** Analyses as things a person can attach to a conversation: the newest are listed, each opens by its id, its group or its export. */

import { EXPORT_FORMATS, FEATURE_GROUPS } from '@earshot/contract';
import { type McpServer, ResourceTemplate } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { Backend, Watch } from './backend.ts';
import { compactGroup, compactResult } from './compact.ts';
import { decodeText } from './decode-text.ts';

const JSON_TYPE = 'application/json';
/** Chosen: what a menu can show. */
const LISTED_MAX = 20;

/** A resource is what is there: nobody waits for it. */
const atOnce = (signal: AbortSignal): Watch => ({ waitMs: 0, onProgress: () => {}, signal });

export function addResources(server: McpServer, backend: Backend): void {
  server.registerResource(
    'analysis',
    new ResourceTemplate('earshot://analyses/{id}', { list: () => listAnalyses(backend) }),
    { title: 'Analysis', description: 'The compact result of a song', mimeType: JSON_TYPE },
    async (uri, { id }, { signal }) =>
      json(uri, compactResult(await backend.find(String(id), atOnce(signal)))),
  );
  server.registerResource(
    'group',
    new ResourceTemplate('earshot://analyses/{id}/groups/{group}', {
      list: undefined,
      complete: { group: (begun) => FEATURE_GROUPS.filter((group) => group.startsWith(begun)) },
    }),
    {
      title: 'Group of an analysis',
      description: `All of one group: ${FEATURE_GROUPS.join(', ')}`,
      mimeType: JSON_TYPE,
    },
    async (uri, variables, { signal }) => {
      const group = oneOf(FEATURE_GROUPS, String(variables.group));
      const { result } = await backend.find(String(variables.id), atOnce(signal));
      if (result === null) throw new Error(`${variables.id} has no result yet.`);
      return json(uri, compactGroup(result, group, true));
    },
  );
  server.registerResource(
    'export',
    new ResourceTemplate('earshot://analyses/{id}/exports/{format}', {
      list: undefined,
      complete: { format: (begun) => EXPORT_FORMATS.filter((format) => format.startsWith(begun)) },
    }),
    { title: 'Export of an analysis', description: `For another program: ${EXPORT_FORMATS.join(', ')}` },
    async (uri, { id, format }) => {
      const bytes = await backend.writeExport(String(id), oneOf(EXPORT_FORMATS, String(format)));
      const text = decodeText(bytes);
      const content = text === null ? { blob: Buffer.from(bytes).toString('base64') } : { text };
      return { contents: [{ uri: uri.href, ...content }] };
    },
  );
}

async function listAnalyses(backend: Backend) {
  const analyses = await backend.list(LISTED_MAX);
  return {
    resources: analyses.map(({ id, name, status }) => ({
      uri: `earshot://analyses/${encodeURIComponent(id)}`,
      name: name ?? id,
      description: status,
      mimeType: JSON_TYPE,
    })),
  };
}

function oneOf<T extends string>(names: readonly T[], name: string): T {
  const found = names.find((known) => known === name);
  if (found === undefined) throw new Error(`There is no "${name}". There are: ${names.join(', ')}`);
  return found;
}

function json(uri: URL, value: unknown) {
  return { contents: [{ uri: uri.href, mimeType: JSON_TYPE, text: JSON.stringify(value) }] };
}
