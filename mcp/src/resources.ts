/** Analyses that a user can attach to a conversation: the newest are listed; each is read whole, by group or as an export. */

import { EXPORT_FORMATS, FEATURE_GROUPS } from '@earshot/contract';
import { type McpServer, ResourceTemplate } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { Backend, Watch } from './backend.ts';
import { compactGroup, compactResult } from './compact.ts';
import { decodeText } from './decode-text.ts';

const JSON_TYPE = 'application/json';
/** As many as fit into a menu. */
const LISTED_MAX = 20;

/** Resources are read in their current state, without waiting for the analysis. */
const withoutWaiting = (signal: AbortSignal): Watch => ({ waitMs: 0, onProgress: () => {}, signal });

export function addResources(server: McpServer, backend: Backend): void {
  server.registerResource(
    'analysis',
    new ResourceTemplate('earshot://analyses/{id}', { list: () => listAnalyses(backend) }),
    { title: 'Analysis', description: 'The compact result of a song', mimeType: JSON_TYPE },
    async (uri, { id }, { signal }) =>
      json(uri, compactResult(await backend.get(String(id), withoutWaiting(signal)))),
  );
  server.registerResource(
    'group',
    new ResourceTemplate('earshot://analyses/{id}/groups/{group}', {
      list: undefined,
      complete: { group: (prefix) => FEATURE_GROUPS.filter((group) => group.startsWith(prefix)) },
    }),
    {
      title: 'Group of an analysis',
      description: `One group in full: ${FEATURE_GROUPS.join(', ')}`,
      mimeType: JSON_TYPE,
    },
    async (uri, variables, { signal }) => {
      const group = oneOf(FEATURE_GROUPS, String(variables.group));
      const { id, status, result, error } = await backend.get(String(variables.id), withoutWaiting(signal));
      if (result === null) throw new Error(`${id} is ${status} and has no result. ${error ?? ''}`.trim());
      return json(uri, compactGroup(result, group, true));
    },
  );
  server.registerResource(
    'export',
    new ResourceTemplate('earshot://analyses/{id}/exports/{format}', {
      list: undefined,
      complete: { format: (prefix) => EXPORT_FORMATS.filter((format) => format.startsWith(prefix)) },
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
      // Otherwise the SDK takes the title of the template, and clients show that for every song.
      title: name ?? id,
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
