/** The tools, resources and prompts, once; who stands behind them and how the bytes travel is the caller's. */

import { EXPORT_FORMATS, FEATURE_GROUPS } from '@earshot/contract';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import type { CallToolResult, ServerNotification, ServerRequest } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import mcpPackage from '../package.json' with { type: 'json' };
import type { Analysed, Backend, Watch } from './backend.ts';
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

const INSTRUCTIONS =
  'Earshot listens to songs: tempo, beats, key, chords, sections, genre, mood, voice, loudness, quality. Analyse a song first; its id then opens ' +
  'everything else. Answers are compact: ask get_result for one group when more is needed. Confidence is 0 to 1 and honest.';

/** Clients give a call a minute by default; a job that takes longer is fetched with a second one. */
const WAIT_SECONDS = 45;
/** Chosen: more would fill what an assistant can hold, and is a file to be downloaded. */
const EXPORT_CHARACTERS_MAX = 200_000;

type Extra = RequestHandlerExtra<ServerRequest, ServerNotification>;

const id = z.string().describe('The id of an analysis');
const wait = z
  .number()
  .min(0)
  .max(600)
  .default(WAIT_SECONDS)
  .describe('How many seconds to wait for it; the analysis goes on afterwards');
const reads = { readOnlyHint: true, openWorldHint: false };
const submits = { readOnlyHint: false, destructiveHint: false, openWorldHint: true };

export function createMcpServer(backend: Backend): McpServer {
  const server = new McpServer(
    { name: 'earshot', title: 'Earshot', version: mcpPackage.version },
    { instructions: INSTRUCTIONS },
  );
  addAnalysisTools(server, backend);
  addResultTools(server, backend);
  addExportTools(server, backend);
  if (backend.service) addLibraryTools(server, backend.service, answer);
  addResources(server, backend);
  addPrompts(server);
  return server;
}

function addAnalysisTools(server: McpServer, { analyseFile, analyseUrl }: Backend): void {
  if (analyseFile) {
    server.registerTool(
      'analyze_file',
      {
        title: 'Analyse an audio file',
        description: 'Analyses an audio file of this machine and returns the compact result.',
        inputSchema: { path: z.string().describe('Path of the file'), wait_seconds: wait },
        outputSchema: RESULT_OUTPUT,
        annotations: submits,
      },
      ({ path, wait_seconds }, extra) =>
        answer(async () => compactResult(await analyseFile(path, watchOf(extra, wait_seconds)))),
    );
  }
  if (analyseUrl) {
    server.registerTool(
      'analyze_url',
      {
        title: 'Analyse audio at an address',
        description: 'Fetches a public audio file, analyses it and returns the compact result.',
        inputSchema: { url: z.url().describe('http or https address of an audio file'), wait_seconds: wait },
        outputSchema: RESULT_OUTPUT,
        annotations: submits,
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
      annotations: reads,
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
        id,
        group: z.enum(FEATURE_GROUPS).optional(),
        full: z.boolean().default(false),
        wait_seconds: wait,
      },
      outputSchema: RESULT_OUTPUT,
      annotations: reads,
    },
    ({ id, group, full, wait_seconds }, extra) =>
      answer(async () => {
        const analysed = await backend.find(id, watchOf(extra, wait_seconds));
        if (analysed.result === null || group === undefined) return compactResult(analysed);
        return { id, [group]: compactGroup(analysed.result, group, full) };
      }),
  );
  server.registerTool(
    'compare',
    {
      title: 'Compare two songs',
      description:
        'Tempo change, harmonic fit (Camelot), gain to match loudness, and differences, of the second towards the first.',
      inputSchema: { first_id: id, second_id: id },
      outputSchema: COMPARE_OUTPUT,
      annotations: reads,
    },
    ({ first_id, second_id }, extra) =>
      answer(async () => {
        const [first, second] = await Promise.all(
          [first_id, second_id].map(async (one) => completed(await backend.find(one, watchOf(extra, 0)))),
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
      description: 'The formats that a result can be had in, for other programs.',
      inputSchema: {},
      outputSchema: FORMATS_OUTPUT,
      annotations: reads,
    },
    () => answer(async () => ({ formats: EXPORT_FORMATS })),
  );
  server.registerTool(
    'get_export',
    {
      title: 'Export a result',
      description: 'The result as a file of another program. Text comes as it is, other formats in base64.',
      inputSchema: { id, format: z.enum(EXPORT_FORMATS) },
      outputSchema: EXPORT_OUTPUT,
      annotations: reads,
    },
    ({ id, format }) =>
      answer(async () => {
        const bytes = await backend.writeExport(id, format);
        const text = decodeText(bytes);
        const content = text ?? Buffer.from(bytes).toString('base64');
        if (content.length > EXPORT_CHARACTERS_MAX)
          throw new Error(
            `This export has ${content.length} characters, too many to read here; download it instead.`,
          );
        return { id, format, encoding: text === null ? 'base64' : 'text', content };
      }),
  );
}

function completed({ id, status, result, error }: Analysed) {
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
      // A courtesy: whether it arrives changes nothing.
      void extra
        .sendNotification({ method: 'notifications/progress', params: { progressToken, progress, total: 1 } })
        .catch(() => undefined);
    },
  };
}

/** A failure is an answer too: the assistant reads why, and can do something about it. */
async function answer(work: () => Promise<Record<string, unknown>>): Promise<CallToolResult> {
  try {
    const structuredContent = await work();
    // As text too, for clients that know no structure.
    return { content: [{ type: 'text', text: JSON.stringify(structuredContent) }], structuredContent };
  } catch (error) {
    return { isError: true, content: [{ type: 'text', text: (error as Error).message }] };
  }
}
