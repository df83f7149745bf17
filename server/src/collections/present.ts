import type * as contract from '@earshot/contract';
import type { z } from 'zod';
import type { CollectionWithSongs } from './collections.ts';
import type { OrderedSong } from './order.ts';
import type { CollectionRow, CollectionSong } from './store.ts';

export function presentSummary(row: CollectionRow): z.input<typeof contract.CollectionSummary> {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    version: row.version,
    item_count: row.itemCount,
    duration_seconds: row.durationSeconds,
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
  };
}

export function presentCollection(row: CollectionWithSongs): z.input<typeof contract.Collection> {
  return { ...presentSummary(row), items: row.songs.map(presentSong) };
}

export function presentStep({ song, mix, reason }: OrderedSong<CollectionSong>) {
  return {
    ...presentSong(song),
    reason,
    tempo_shift_percent: mix?.tempoShiftPercent ?? null,
    key_relation: mix?.keyRelation ?? null,
    energy_step: mix?.energyStep ?? null,
  };
}

function presentSong(song: CollectionSong) {
  return {
    job_id: song.analysisId,
    title: song.title,
    artist: song.artist,
    bpm: song.bpm,
    key_notation: song.keyNotation,
    camelot: song.camelot,
    energy: song.energy,
    duration_seconds: song.durationSeconds,
  };
}
