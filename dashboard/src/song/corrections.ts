import type { RequestInput, RequestOutput } from '@earshot/sdk';
import type { Result } from '../result.ts';

/**
 * Edits of a song's correction. The service stores the correction of a song as one body and replaces it whole, so each edit returns a
 * whole body, and undoing an edit is sending the body from before it.
 */

export type Correction = RequestOutput<'getCorrections'>;
export type CorrectionBody = NonNullable<RequestInput<'replaceCorrections'>['body']>;
type Section = NonNullable<CorrectionBody['sections']>[number];

/** The fields of the body that make up each kind of correction. */
const FIELDS_OF_KIND: Record<Correction['kinds'][number], (keyof CorrectionBody)[]> = {
  tempo: ['tempo'],
  bars: ['first_downbeat_seconds', 'shift_beats', 'beats_per_bar'],
  beats: ['beats'],
  key: ['key'],
  chords: ['chords'],
  sections: ['sections'],
};

/** The body that would make this correction: without the fields that the service adds. */
export function bodyOf(correction: Correction): CorrectionBody {
  const fields = [...Object.values(FIELDS_OF_KIND).flat(), 'note'] as const;
  return Object.fromEntries(fields.map((field) => [field, correction[field]]));
}

export function isEmpty(body: CorrectionBody): boolean {
  return Object.values(body).every((value) => value === null || value === undefined);
}

/** Removes one kind of correction; the others stay. */
export function revert(body: CorrectionBody, kind: Correction['kinds'][number]): CorrectionBody {
  return { ...body, ...Object.fromEntries(FIELDS_OF_KIND[kind].map((field) => [field, null])) };
}

/** Whether two bodies make the same correction: the order of fields does not matter, and null means absent. */
export function isSameCorrection(one: CorrectionBody, other: CorrectionBody): boolean {
  return canonicalJson(one) === canonicalJson(other);
}

function canonicalJson(body: CorrectionBody): string {
  return JSON.stringify(body, (_, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(
          Object.entries(value)
            .filter(([, one]) => one !== null)
            .sort(([one], [other]) => (one < other ? -1 : 1)),
        )
      : value,
  );
}

const NAMED_FACTORS: readonly (readonly [factor: number, name: 'double' | 'half' | 'triple' | 'third'])[] = [
  [2, 'double'],
  [0.5, 'half'],
  [3, 'triple'],
  [1 / 3, 'third'],
];

/** Covers the rounding of stored tempos to 0.001 BPM; the named factors are much further apart. */
const SAME_FACTOR_RATIO = 0.001;

/**
 * Multiplies the corrected tempo, by name where the result is a named multiple of the detected tempo. A result equal to the detected
 * tempo removes the correction.
 */
export function scaleTempo(body: CorrectionBody, factor: number, heardBpm: number | null): CorrectionBody {
  if (heardBpm === null) return { ...body, tempo: Number(body.tempo) * factor };
  const current = factorOf(body.tempo, heardBpm);
  const wanted = current * factor;
  const near = (value: number) => Math.abs(wanted / value - 1) < SAME_FACTOR_RATIO;
  const name = NAMED_FACTORS.find(([value]) => near(value))?.[1];
  const tempo = near(1) ? null : (name ?? Math.round(wanted * heardBpm * 1000) / 1000);
  return { ...body, tempo };
}

function factorOf(tempo: CorrectionBody['tempo'], heardBpm: number): number {
  if (tempo === null || tempo === undefined) return 1;
  if (typeof tempo === 'string')
    return NAMED_FACTORS.find(([, name]) => name === tempo)?.[0] ?? Number(tempo) / heardBpm;
  return Number(tempo) / heardBpm;
}

/** Makes the beat at `seconds` the first of a bar, in place of a shift by whole beats. */
export function startBarAt(body: CorrectionBody, seconds: number): CorrectionBody {
  return { ...body, first_downbeat_seconds: roundTime(seconds), shift_beats: null };
}

/** More than the rounding to a millisecond, here and in the service, can add up to; far less than the distance of two beats. */
const SAME_BEAT_SECONDS = 0.002;

export function moveBeat(body: CorrectionBody, fromSeconds: number, toSeconds: number): CorrectionBody {
  const from_seconds = roundTime(fromSeconds);
  const to_seconds = roundTime(toSeconds);
  const moves = body.beats?.move ?? [];
  // The service identifies a beat by its time before any move, so a second move keeps the first one's `from_seconds`.
  const before = moves.find((move) => Math.abs(Number(move.to_seconds) - from_seconds) < SAME_BEAT_SECONDS);
  const others = moves.filter((move) => move !== before);
  const move = [...others, { from_seconds: before?.from_seconds ?? from_seconds, to_seconds }];
  return { ...body, beats: { ...body.beats, move } };
}

/** The sections that are shown, as a correction has them. */
export function sectionsOf(result: Result): Section[] {
  return (result.structure?.sections ?? []).map(({ start_seconds, end_seconds, label, group }) => ({
    start_seconds: roundTime(start_seconds),
    end_seconds: roundTime(end_seconds),
    label,
    group,
  }));
}

/** Covers rounding; detected boundaries are bars apart. */
const SAME_BOUNDARY_SECONDS = 0.01;

/** Moves the boundary between two sections; null when there is none at `fromSeconds`, or when a section would have no length left. */
export function moveBoundary(sections: Section[], fromSeconds: number, toSeconds: number): Section[] | null {
  const index = sections.findIndex(
    ({ start_seconds }) => Math.abs(Number(start_seconds) - fromSeconds) < SAME_BOUNDARY_SECONDS,
  );
  const [before, after] = [sections[index - 1], sections[index]];
  if (!before || !after) return null;
  const boundarySeconds = roundTime(toSeconds);
  if (boundarySeconds <= Number(before.start_seconds) || boundarySeconds >= Number(after.end_seconds))
    return null;
  return sections.map((section) =>
    section === before
      ? { ...section, end_seconds: boundarySeconds }
      : section === after
        ? { ...section, start_seconds: boundarySeconds }
        : section,
  );
}

/** Splits the section at `atSeconds` into two of the same name; null on a boundary or outside the sections. */
export function splitSection(sections: Section[], atSeconds: number): Section[] | null {
  const boundarySeconds = roundTime(atSeconds);
  const whole = sections.find(
    ({ start_seconds, end_seconds }) =>
      boundarySeconds > Number(start_seconds) && boundarySeconds < Number(end_seconds),
  );
  if (!whole) return null;
  return sections.flatMap((section) =>
    section === whole
      ? [
          { ...section, end_seconds: boundarySeconds },
          { ...section, start_seconds: boundarySeconds },
        ]
      : [section],
  );
}

export function renameSection(sections: Section[], index: number, label: Section['label']): Section[] {
  return sections.map((section, position) => (position === index ? { ...section, label } : section));
}

/** Sets the chord of a span; corrected chords that overlap it are removed. */
export function retypeChord(
  body: CorrectionBody,
  span: { start_seconds: number; end_seconds: number },
  label: string,
): CorrectionBody {
  const chord = {
    start_seconds: roundTime(span.start_seconds),
    end_seconds: roundTime(span.end_seconds),
    label,
  };
  const others = (body.chords ?? []).filter(
    ({ start_seconds, end_seconds }) =>
      Number(end_seconds) <= chord.start_seconds || Number(start_seconds) >= chord.end_seconds,
  );
  const chords = [...others, chord].sort(
    (one, other) => Number(one.start_seconds) - Number(other.start_seconds),
  );
  return { ...body, chords };
}

/** To a millisecond, as the service stores times, and never before the song. */
function roundTime(seconds: number): number {
  return Math.max(0, Math.round(seconds * 1000) / 1000);
}
