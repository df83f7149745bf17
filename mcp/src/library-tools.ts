/** Tools for the library of a service: search, corrections, tags, collections. */

import { BULK_IDS_MAX, COLLECTION_ITEMS_MAX, SONG_TAGS_MAX } from '@earshot/contract';
import type { Earshot, JobData } from '@earshot/sdk';
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { z } from 'zod';
import { joinCorrections } from './join-corrections.ts';
import { answer, refuseTooLong } from './tool-answer.ts';
import { analysisId, READS } from './tool-inputs.ts';

const collectionId = z.string().describe('The id of a collection');
/** More would fill the context of an assistant. */
const SONGS_MAX = 50;
const limit = z.number().int().min(1).max(SONGS_MAX).default(20);
/** Adds without changing what exists. */
const ADDS = { readOnlyHint: false, destructiveHint: false, openWorldHint: false };
/** May overwrite data, so assistants ask the user first. */
const REPLACES = { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false };

export function addLibraryTools(server: McpServer, earshot: Earshot): void {
  addSearchTools(server, earshot);
  addSongTools(server, earshot);
  addCollectionTools(server, earshot);
}

function addSearchTools(server: McpServer, earshot: Earshot): void {
  server.registerTool(
    'search_songs',
    {
      title: 'Search the library',
      description:
        'Songs that match all conditions: words, tempo, key, energy, genre, mood, tags. bpm_near allows ±4 %.',
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
      annotations: READS,
    },
    (query) =>
      answer(async () => {
        const { songs, total, totalIsExact } = await earshot.analyses.find(query);
        return { total, total_is_exact: totalIsExact, songs: songs.map(compactSong) };
      }),
  );
  server.registerTool(
    'similar_songs',
    {
      title: 'Find similar songs',
      description: 'Songs that sound like one, each with the reason in words; the first is the song itself.',
      inputSchema: {
        id: analysisId,
        by: z.enum(['sound', 'harmony', 'rhythm', 'all']).default('all'),
        limit,
      },
      annotations: READS,
    },
    ({ id, by, limit }) =>
      answer(async () => ({ songs: (await earshot.analyses.similar(id, { by, limit })).map(compactMatch) })),
  );
  server.registerTool(
    'next_songs',
    {
      title: 'What mixes next',
      description: 'Songs that go well after one: key relation, tempo shift (never beyond 8 %), energy step.',
      inputSchema: { id: analysisId, limit },
      annotations: READS,
    },
    ({ id, limit }) =>
      answer(async () => ({ songs: (await earshot.analyses.next(id, { limit })).map(compactMatch) })),
  );
}

function addSongTools(server: McpServer, earshot: Earshot): void {
  server.registerTool(
    'correct_song',
    {
      title: 'Correct a song',
      description:
        'Corrects tempo, key or bars of a song. Earlier corrections stay unless they are given again; the id alone removes them all.',
      inputSchema: {
        id: analysisId,
        tempo: z
          .union([z.enum(['double', 'half', 'triple', 'third']), z.number().min(20).max(400)])
          .optional(),
        key: z.string().optional(),
        beats_per_bar: z.number().int().min(1).max(16).optional(),
        shift_beats: z.number().int().min(-64).max(64).optional(),
      },
      annotations: REPLACES,
    },
    ({ id, ...change }) =>
      answer(async () => {
        const isEmpty = Object.values(change).every((value) => value === undefined);
        const before = isEmpty ? {} : await earshot.request('getCorrections', { params: { job_id: id } });
        return { ...(await earshot.analyses.correct(id, joinCorrections(before, change))) };
      }),
  );
  server.registerTool(
    'annotate_song',
    {
      title: 'Describe a song',
      description: 'Sets title, artist, album, tags, note or rating. Omitted fields stay.',
      inputSchema: {
        id: analysisId,
        title: z.string().optional(),
        artist: z.string().optional(),
        album: z.string().optional(),
        tags: z.array(z.string()).max(SONG_TAGS_MAX).optional().describe('Replaces all tags of the song'),
        note: z.string().optional(),
        rating: z.number().int().min(0).max(5).optional(),
      },
      annotations: REPLACES,
    },
    ({ id, ...words }) => answer(async () => compactSong(await earshot.analyses.describe(id, words))),
  );
  server.registerTool(
    'tag_songs',
    {
      title: 'Tag many songs',
      description: 'Adds tags to songs or removes them, for all of the songs or none.',
      inputSchema: {
        ids: z.array(analysisId).min(1).max(BULK_IDS_MAX),
        action: z.enum(['tag', 'untag']),
        tags: z.array(z.string()).min(1).max(SONG_TAGS_MAX),
      },
      annotations: REPLACES,
    },
    (bulk) => answer(async () => ({ ...(await earshot.analyses.change(bulk)) })),
  );
}

function addCollectionTools(server: McpServer, { collections }: Earshot): void {
  server.registerTool(
    'create_collection',
    {
      title: 'Create a collection',
      description: 'A crate or set list of songs in order.',
      inputSchema: {
        name: z.string().min(1).max(200),
        ids: z.array(analysisId).max(COLLECTION_ITEMS_MAX).default([]),
      },
      annotations: ADDS,
    },
    ({ name, ids }) => answer(async () => ({ ...(await collections.create({ name, items: ids })) })),
  );
  server.registerTool(
    'get_collection',
    {
      title: 'Read a collection',
      description: 'Its songs in order; or, with order_by, a proposed order with the reason for every step.',
      inputSchema: {
        collection_id: collectionId,
        order_by: z.enum(['harmonic', 'energy', 'bpm']).optional(),
      },
      annotations: READS,
    },
    ({ collection_id, order_by }) =>
      answer(async () => {
        const collection = order_by
          ? await collections.order(collection_id, order_by)
          : await collections.get(collection_id);
        // Refused rather than cut: set_collection would remove the songs that an assistant did not read.
        refuseTooLong('collection', JSON.stringify(collection).length, 'open it in the dashboard');
        return { ...collection };
      }),
  );
  server.registerTool(
    'set_collection',
    {
      title: 'Set the songs of a collection',
      description:
        'Replaces the whole list. version is the one you have read; fails if the collection has changed since.',
      inputSchema: {
        collection_id: collectionId,
        ids: z.array(analysisId).max(COLLECTION_ITEMS_MAX),
        version: z.number().int(),
      },
      annotations: { ...REPLACES, idempotentHint: false },
    },
    ({ collection_id, ids, version }) =>
      answer(async () => ({ ...(await collections.replaceItems(collection_id, ids, version)) })),
  );
}

function compactMatch<T extends { job: JobData }>({ job, ...reasons }: T) {
  return { ...compactSong(job), ...reasons };
}

function compactSong({ id, status, file_name, headline }: JobData) {
  if (!headline) return { id, status, name: file_name };
  const { title, artist, bpm, camelot, key_notation, energy, genre, mood, tags, duration_seconds } = headline;
  return { id, title, artist, bpm, camelot, key: key_notation, energy, genre, mood, tags, duration_seconds };
}
