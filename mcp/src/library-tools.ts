/** Tools over the whole library: what an assistant needs to build a set by talking. Only where there is a service behind them. */

import { BULK_IDS_MAX, COLLECTION_ITEMS_MAX } from '@earshot/contract';
import type { Earshot, JobData } from '@earshot/sdk';
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { joinCorrections } from './join-corrections.ts';

type Answer = (work: () => Promise<Record<string, unknown>>) => Promise<CallToolResult>;

const id = z.string().describe('The id of an analysis');
const collectionId = z.string().describe('The id of a collection');
const limit = z.number().int().min(1).max(50).default(20);
const reads = { readOnlyHint: true, openWorldHint: false };
/** Adds, and changes nothing that is there. */
const adds = { readOnlyHint: false, destructiveHint: false, openWorldHint: false };
/** What was there may be lost: an assistant asks first. */
const replaces = { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false };

export function addLibraryTools(server: McpServer, earshot: Earshot, answer: Answer): void {
  addSearchTools(server, earshot, answer);
  addSongTools(server, earshot, answer);
  addCollectionTools(server, earshot, answer);
}

function addSearchTools(server: McpServer, earshot: Earshot, answer: Answer): void {
  server.registerTool(
    'search_songs',
    {
      title: 'Search the library',
      description:
        'Songs by words, tempo, key, energy, genre, mood, tags; all conditions hold together. Tempo ±4 % by bpm_near.',
      inputSchema: {
        q: z.string().optional(),
        bpm_near: z.number().optional(),
        bpm_min: z.number().optional(),
        bpm_max: z.number().optional(),
        key: z.array(z.string()).optional().describe('Any of these: C minor, Cm, 5A'),
        voice: z.enum(['yes', 'no']).optional(),
        compatible_with: z.string().optional().describe('A Camelot number or the id of an analysis'),
        energy_min: z.number().min(0).max(1).optional(),
        energy_max: z.number().min(0).max(1).optional(),
        genre: z.array(z.string()).optional(),
        mood: z.array(z.string()).optional(),
        tag: z.array(z.string()).optional(),
        sort: z
          .enum(['-created_at', 'title', 'artist', 'bpm', '-bpm', 'key', 'energy', '-energy'])
          .optional(),
        limit,
      },
      annotations: reads,
    },
    (query) =>
      answer(async () => {
        const { songs, total } = await earshot.analyses.find(query);
        return { total, songs: songs.map(compactSong) };
      }),
  );
  server.registerTool(
    'similar_songs',
    {
      title: 'Find similar songs',
      description: 'Songs that sound like one, with the reason in words; itself is the first.',
      inputSchema: { id, by: z.enum(['sound', 'harmony', 'rhythm', 'all']).default('all'), limit },
      annotations: reads,
    },
    ({ id, by, limit }) =>
      answer(async () => ({
        songs: (await earshot.analyses.similar(id, { by, limit })).map(({ job, ...rest }) => ({
          ...compactSong(job),
          ...rest,
        })),
      })),
  );
  server.registerTool(
    'next_songs',
    {
      title: 'What mixes next',
      description: 'Songs that go well after one: key relation, tempo shift (never beyond 8 %), energy step.',
      inputSchema: { id, limit },
      annotations: reads,
    },
    ({ id, limit }) =>
      answer(async () => ({
        songs: (await earshot.analyses.next(id, { limit })).map(({ job, ...rest }) => ({
          ...compactSong(job),
          ...rest,
        })),
      })),
  );
}

function addSongTools(server: McpServer, earshot: Earshot, answer: Answer): void {
  server.registerTool(
    'correct_song',
    {
      title: 'Correct a song',
      description:
        'Says what is true of a song; everything that shows it follows. What was said before stays, but for what is given now; nothing but the id takes all back.',
      inputSchema: {
        id,
        tempo: z
          .union([z.enum(['double', 'half', 'triple', 'third']), z.number().min(20).max(400)])
          .optional(),
        key: z.string().optional(),
        beats_per_bar: z.number().int().min(1).max(16).optional(),
        shift_beats: z.number().int().min(-64).max(64).optional(),
      },
      annotations: replaces,
    },
    ({ id, ...truth }) =>
      answer(async () => {
        const isEmpty = Object.values(truth).every((value) => value === undefined);
        const before = isEmpty ? {} : await earshot.request('getCorrections', { params: { job_id: id } });
        return { ...(await earshot.analyses.correct(id, joinCorrections(before, truth))) };
      }),
  );
  server.registerTool(
    'annotate_song',
    {
      title: 'Describe a song',
      description: 'Writes title, artist, album, tags, a note or a rating. What is left out stays.',
      inputSchema: {
        id,
        title: z.string().optional(),
        artist: z.string().optional(),
        album: z.string().optional(),
        tags: z.array(z.string()).max(50).optional().describe('All of them'),
        note: z.string().optional(),
        rating: z.number().int().min(0).max(5).optional(),
      },
      annotations: replaces,
    },
    ({ id, ...words }) => answer(async () => compactSong(await earshot.analyses.describe(id, words))),
  );
  server.registerTool(
    'tag_songs',
    {
      title: 'Tag many songs',
      description: 'Puts tags on songs or takes them off: all of them or none.',
      inputSchema: {
        ids: z.array(id).min(1).max(BULK_IDS_MAX),
        action: z.enum(['tag', 'untag']),
        tags: z.array(z.string()).min(1).max(50),
      },
      annotations: replaces,
    },
    (bulk) => answer(async () => ({ ...(await earshot.analyses.change(bulk)) })),
  );
}

function addCollectionTools(server: McpServer, { collections }: Earshot, answer: Answer): void {
  server.registerTool(
    'create_collection',
    {
      title: 'Make a collection',
      description: 'A crate or set list of songs in order.',
      inputSchema: {
        name: z.string().min(1).max(200),
        ids: z.array(id).max(COLLECTION_ITEMS_MAX).default([]),
      },
      annotations: adds,
    },
    ({ name, ids }) => answer(async () => ({ ...(await collections.create({ name, items: ids })) })),
  );
  server.registerTool(
    'get_collection',
    {
      title: 'Read a collection',
      description: 'Its songs in order; or, with order_by, a proposed order and the reason of every step.',
      inputSchema: {
        collection_id: collectionId,
        order_by: z.enum(['harmonic', 'energy', 'bpm']).optional(),
      },
      annotations: reads,
    },
    ({ collection_id, order_by }) =>
      answer(async () => ({
        ...(order_by
          ? await collections.order(collection_id, order_by)
          : await collections.get(collection_id)),
      })),
  );
  server.registerTool(
    'set_collection',
    {
      title: 'Set the songs of a collection',
      description:
        'The whole list in order. version is the one you have read: it fails when somebody has changed it since.',
      inputSchema: {
        collection_id: collectionId,
        ids: z.array(id).max(COLLECTION_ITEMS_MAX),
        version: z.number().int(),
      },
      annotations: { ...replaces, idempotentHint: false },
    },
    ({ collection_id, ids, version }) =>
      answer(async () => ({ ...(await collections.replaceItems(collection_id, ids, version)) })),
  );
}

function compactSong({ id, status, file_name, headline }: JobData) {
  if (!headline) return { id, status, name: file_name };
  const { title, artist, bpm, camelot, key_notation, energy, genre, mood, tags, duration_seconds } = headline;
  return { id, title, artist, bpm, camelot, key: key_notation, energy, genre, mood, tags, duration_seconds };
}
