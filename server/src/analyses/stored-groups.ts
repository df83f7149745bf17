import { RESULT_GROUPS } from '@earshot/contract';
import { mergePixels } from '@earshot/engine';
import type { ResultDocument } from '@earshot/exports';
import { packJson, unpackJson } from './packed-json.ts';

/** The groups of a result, in the order in which it presents them. */
export const GROUP_NAMES = [...RESULT_GROUPS, 'enrichment'] as const satisfies (keyof ResultDocument)[];
export type StoredGroups = Pick<ResultDocument, (typeof GROUP_NAMES)[number]>;

/** Results stored before groups were packed have them as JSON. */
export type GroupsRow =
  | { groups: StoredGroups; packed_groups: null }
  | { groups: null; packed_groups: Uint8Array };

export function groupsOf(row: GroupsRow): StoredGroups {
  return row.groups ?? unpackGroups(row.packed_groups);
}

export function packGroups(groups: StoredGroups): Buffer {
  return packJson({ ...groups, waveform: dropDerivedLevels(groups.waveform) });
}

export function unpackGroups(packed: Uint8Array): StoredGroups {
  const groups = unpackJson(packed) as Omit<StoredGroups, 'waveform'> & { waveform: StoredWaveform };
  return { ...groups, waveform: restoreDerivedLevels(groups.waveform) };
}

type Waveform = StoredGroups['waveform'];
type Level = NonNullable<Waveform>['levels'][number];
type StoredLevel = Omit<Level, 'data'> & { data: number[] | null };
type StoredWaveform = (Omit<NonNullable<Waveform>, 'levels'> & { levels: StoredLevel[] }) | null;

/** Coarser levels follow from the finest by merging its pixels: they are computed when read. One that does not follow exactly is kept. */
function dropDerivedLevels(waveform: Waveform): StoredWaveform {
  if (waveform === null) return null;
  const [finest] = waveform.levels;
  const isDerived = (level: Level) => {
    const merged = deriveData(finest!, level);
    return merged.length === level.data.length && merged.every((pixel, index) => pixel === level.data[index]);
  };
  const levels = waveform.levels.map((level) =>
    level !== finest && isDerived(level) ? { ...level, data: null } : level,
  );
  return { ...waveform, levels };
}

function restoreDerivedLevels(waveform: StoredWaveform): Waveform {
  if (waveform === null) return null;
  const finest = waveform.levels[0] as Level;
  const levels = waveform.levels.map((level) => ({
    ...level,
    data: level.data ?? deriveData(finest, level),
  }));
  return { ...waveform, levels };
}

function deriveData(finest: Level, coarser: StoredLevel): number[] {
  return mergePixels(finest.data, coarser.samples_per_pixel / finest.samples_per_pixel);
}
