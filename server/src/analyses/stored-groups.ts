import { RESULT_GROUPS } from '@earshot/contract';
import { mergePixels } from '@earshot/engine';
import type { ResultDocument } from '@earshot/exports';
import { packJson, unpackJson } from './packed-json.ts';

/** The bulk of a result, in the order it is told. */
export const GROUP_NAMES = [...RESULT_GROUPS, 'enrichment'] as const satisfies (keyof ResultDocument)[];
export type StoredGroups = Pick<ResultDocument, (typeof GROUP_NAMES)[number]>;

/** Results from before the bulk was packed have it as JSON. */
export type GroupsRow =
  | { groups: StoredGroups; packed_groups: null }
  | { groups: null; packed_groups: Uint8Array };

export function groupsOf(row: GroupsRow): StoredGroups {
  return row.groups ?? unpackGroups(row.packed_groups);
}

export function packGroups(groups: StoredGroups): Buffer {
  return packJson({ ...groups, waveform: withoutCoarser(groups.waveform) });
}

export function unpackGroups(packed: Uint8Array): StoredGroups {
  const groups = unpackJson(packed) as Omit<StoredGroups, 'waveform'> & { waveform: StoredWaveform };
  return { ...groups, waveform: withCoarser(groups.waveform) };
}

type Waveform = StoredGroups['waveform'];
type Level = NonNullable<Waveform>['levels'][number];
type StoredLevel = Omit<Level, 'data'> & { data: number[] | null };
type StoredWaveform = (Omit<NonNullable<Waveform>, 'levels'> & { levels: StoredLevel[] }) | null;

/** A coarser level is the finest with its pixels joined, a sixth of what a song takes: it is joined again when it is read. */
function withoutCoarser(waveform: Waveform): StoredWaveform {
  if (waveform === null) return null;
  const [finest] = waveform.levels;
  const isJoined = (level: Level) => {
    const joined = joinPixels(finest!, level);
    return joined.length === level.data.length && joined.every((pixel, at) => pixel === level.data[at]);
  };
  const levels = waveform.levels.map((level) =>
    level !== finest && isJoined(level) ? { ...level, data: null } : level,
  );
  return { ...waveform, levels };
}

function withCoarser(waveform: StoredWaveform): Waveform {
  if (waveform === null) return null;
  const finest = waveform.levels[0] as Level;
  const levels = waveform.levels.map((level) => ({
    ...level,
    data: level.data ?? joinPixels(finest, level),
  }));
  return { ...waveform, levels };
}

function joinPixels(finest: Level, coarser: StoredLevel): number[] {
  return mergePixels(finest.data, coarser.samples_per_pixel / finest.samples_per_pixel);
}
