/** The MCP server, for any backend and any transport: tools, resources and prompts. */

import { EXPORT_FORMATS, FEATURE_GROUPS } from '@earshot/contract';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import type { ServerNotification, ServerRequest } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import mcpPackage from '../package.json' with { type: 'json' };
import type { AnalysisState, Backend, Watch } from './backend.ts';
import { compactGroup, compactResult } from './compact.ts';
import { compareResults } from './compare.ts';
import { decodeText } from './decode-text.ts';
import { addLibraryTools } from './library-tools.ts';
import {
  COMPARE_OUTPUT,
  EXPORT_OUTPUT,
  FORMATS_OUTPUT,
  LIST_OUTPUT,
  RESULT_OUTPUT,
} from './output-schemas.ts';
import { addPrompts } from './prompts.ts';
import { addResources } from './resources.ts';
import { answer, refuseTooLong } from './tool-answer.ts';
import { analysisId, READS } from './tool-inputs.ts';

const INSTRUCTIONS =
  'Earshot listens to songs: tempo, beats, key, chords, sections, genre, mood, voice, loudness, quality. Analyse a song first; its id then opens ' +
  'everything else. Answers are compact: ask get_result for one group when more is needed. Confidence is 0 to 1 ' +
  'and, except for moods, instruments and decades, calibrated: of the answers given with 0.8, about 80 % are right.';

/** Clients time out after a minute by default; an analysis that takes longer is read with another call. */
const WAIT_SECONDS_DEFAULT = 45;
/** For clients with a longer timeout. */
const WAIT_SECONDS_MAX = 600;

type Extra = RequestHandlerExtra<ServerRequest, ServerNotification>;

const waitSeconds = z
  .number()
  .min(0)
  .max(WAIT_SECONDS_MAX)
  .default(WAIT_SECONDS_DEFAULT)
  .describe('How many seconds to wait for the result; the analysis continues afterwards');
const SUBMITS = { readOnlyHint: false, destructiveHint: false, openWorldHint: true };

export function createMcpServer(backend: Backend): McpServer {
  const server = new McpServer(
    { name: 'earshot', title: 'Earshot', version: mcpPackage.version },
    { instructions: INSTRUCTIONS },
  );
  addAnalysisTools(server, backend);
  addResultTools(server, backend);
  addExportTools(server, backend);
  if (backend.service) addLibraryTools(server, backend.service);
  addResources(server, backend);
  addPrompts(server, backend);
  return server;
}

function addAnalysisTools(server: McpServer, { analyseFile, analyseUrl }: Backend): void {
  if (analyseFile) {
    server.registerTool(
      'analyze_file',
      {
        title: 'Analyse an audio file',
        description: 'Analyses an audio file on this machine and returns the compact result.',
        inputSchema: { path: z.string().describe('Path of the file'), wait_seconds: waitSeconds },
        outputSchema: RESULT_OUTPUT,
        annotations: SUBMITS,
      },
      ({ path, wait_seconds }, extra) =>
        answer(async () => compactResult(await analyseFile(path, watchOf(extra, wait_seconds)))),
    );
  }
  if (analyseUrl) {
    server.registerTool(
      'analyze_url',
      {
        title: 'Analyse audio at a URL',
        description: 'Fetches a public audio file, analyses it and returns the compact result.',
        inputSchema: {
          url: z.url().describe('http or https URL of an audio file'),
          wait_seconds: waitSeconds,
        },
        outputSchema: RESULT_OUTPUT,
        annotations: SUBMITS,
      },
      ({ url, wait_seconds }, extra) =>
        answer(async () => compactResult(await analyseUrl(url, watchOf(extra, wait_seconds)))),
    );
  }
}

function addResultTools(server: McpServer, backend: Backend): void {
  server.registerTool(
    'list_analyses',
    {
      title: 'List analyses',
      description: 'The newest analyses: id, name and status.',
      inputSchema: { limit: z.number().int().min(1).max(100).default(20) },
      outputSchema: LIST_OUTPUT,
      annotations: READS,
    },
    ({ limit }) => answer(async () => ({ analyses: await backend.list(limit) })),
  );
  server.registerTool(
    'get_result',
    {
      title: 'Read a result',
      description:
        'The compact result of an analysis, or one group of it. Long lists of a group (beats, chords, curves) are cut unless full is true.',
      inputSchema: {
        id: analysisId,
        group: z.enum(FEATURE_GROUPS).optional(),
        full: z.boolean().default(false),
        wait_seconds: waitSeconds,
      },
      outputSchema: RESULT_OUTPUT,
      annotations: READS,
    },
    ({ id, group, full, wait_seconds }, extra) =>
      answer(async () => {
        const analysis = await backend.get(id, watchOf(extra, wait_seconds));
        if (analysis.result === null || group === undefined) return compactResult(analysis);
        return { id, [group]: compactGroup(analysis.result, group, full) };
      }),
  );
  server.registerTool(
    'compare',
    {
      title: 'Compare two songs',
      description:
        'What the second song needs to match the first: tempo change, harmonic fit (Camelot), gain; and how the two differ.',
      inputSchema: { first_id: analysisId, second_id: analysisId },
      outputSchema: COMPARE_OUTPUT,
      annotations: READS,
    },
    ({ first_id, second_id }, extra) =>
      answer(async () => {
        const [first, second] = await Promise.all(
          [first_id, second_id].map(async (id) => resultOf(await backend.get(id, watchOf(extra, 0)))),
        );
        return { first_id, second_id, ...compareResults(first!, second!) };
      }),
  );
}

function addExportTools(server: McpServer, backend: Backend): void {
  server.registerTool(
    'list_exports',
    {
      title: 'List export formats',
      description: 'The file formats of other programs that a result can be exported to.',
      inputSchema: {},
      outputSchema: FORMATS_OUTPUT,
      annotations: READS,
    },
    () => answer(async () => ({ formats: EXPORT_FORMATS })),
  );
  server.registerTool(
    'get_export',
    {
      title: 'Export a result',
      description: 'The result as a file for another program: text as it is, other formats in base64.',
      inputSchema: { id: analysisId, format: z.enum(EXPORT_FORMATS) },
      outputSchema: EXPORT_OUTPUT,
      annotations: READS,
    },
    ({ id, format }) =>
      answer(async () => {
        const bytes = await backend.writeExport(id, format);
        const text = decodeText(bytes);
        const content = text ?? Buffer.from(bytes).toString('base64');
        refuseTooLong('export', content.length, 'download it');
        return { id, format, encoding: text === null ? 'base64' : 'text', content };
      }),
  );
}

function resultOf({ id, status, result, error }: AnalysisState) {
  if (result === null)
    throw new Error(`${id} is ${status} and has no result to compare. ${error ?? ''}`.trim());
  return result;
}

function watchOf(extra: Extra, waitSeconds: number): Watch {
  const progressToken = extra._meta?.progressToken;
  return {
    waitMs: waitSeconds * 1000,
    signal: extra.signal,
    onProgress(progress) {
      if (progressToken === undefined) return;
      // Progress is optional: a notification that cannot be sent does not fail the call.
      void extra
        .sendNotification({ method: 'notifications/progress', params: { progressToken, progress, total: 1 } })
        .catch(() => undefined);
    },
  };
}
