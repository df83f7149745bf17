import type { RequestInput, RequestOutput } from '@earshot/sdk';
import type { Result } from '../result.ts';

/**
 * What one press says, as the whole correction that is then true: the service replaces it whole, so that undoing is sending
 * the one before.
 */

export type Correction = RequestOutput<'getCorrections'>;
export type CorrectionBody = NonNullable<RequestInput<'replaceCorrections'>['body']>;
type Section = NonNullable<CorrectionBody['sections']>[number];

/** What a correction of each kind says. */
const FIELDS_OF_KIND: Record<Correction['kinds'][number], (keyof CorrectionBody)[]> = {
  tempo: ['tempo'],
  bars: ['first_downbeat_seconds', 'shift_beats', 'beats_per_bar'],
  beats: ['beats'],
  key: ['key'],
  chords: ['chords'],
  sections: ['sections'],
};

/** What is said so far, without what the service adds to it. */
export function bodyOf(correction: Correction): CorrectionBody {
  const fields = [...Object.values(FIELDS_OF_KIND).flat(), 'note'] as const;
  return Object.fromEntries(fields.map((field) => [field, correction[field]]));
}

export function isEmpty(body: CorrectionBody): boolean {
  return Object.values(body).every((value) => value === null || value === undefined);
}

/** One kind as it was heard; the others stay. */
export function revert(body: CorrectionBody, kind: Correction['kinds'][number]): CorrectionBody {
  return { ...body, ...Object.fromEntries(FIELDS_OF_KIND[kind].map((field) => [field, null])) };
}

/** Where a song's correction is kept. */
type Keeper = {
  read: () => Promise<CorrectionBody>;
  send: (body: CorrectionBody) => Promise<CorrectionBody>;
};

/** Says `next` in place of `known`; null if anything else was said since, by whomever: that would be lost with it. */
export async function replaceKnown(
  known: CorrectionBody,
  next: CorrectionBody,
  { read, send }: Keeper,
): Promise<CorrectionBody | null> {
  return inOrder(await read()) === inOrder(known) ? send(next) : null;
}

/** The same text for the same correction: the service keeps no order of fields, and a null says nothing. */
function inOrder(body: CorrectionBody): string {
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

const WORDS: readonly (readonly [factor: number, word: 'double' | 'half' | 'triple' | 'third'])[] = [
  [2, 'double'],
  [0.5, 'half'],
  [3, 'triple'],
  [1 / 3, 'third'],
];

/** Tempos are told to a thousandth: what is nearer was meant. */
const SAME_FACTOR_RATIO = 0.001;

/** Twice or half of what is shown now. Back at what was heard, nothing is corrected any more. */
export function scaleTempo(body: CorrectionBody, factor: number, heardBpm: number | null): CorrectionBody {
  if (heardBpm === null) return { ...body, tempo: Number(body.tempo) * factor };
  const current = factorOf(body.tempo, heardBpm);
  const wanted = current * factor;
  const near = (value: number) => Math.abs(wanted / value - 1) < SAME_FACTOR_RATIO;
  const word = WORDS.find(([value]) => near(value))?.[1];
  const tempo = near(1) ? null : (word ?? Math.round(wanted * heardBpm * 1000) / 1000);
  return { ...body, tempo };
}

function factorOf(tempo: CorrectionBody['tempo'], heardBpm: number): number {
  if (tempo === null || tempo === undefined) return 1;
  if (typeof tempo === 'string')
    return WORDS.find(([, word]) => word === tempo)?.[0] ?? Number(tempo) / heardBpm;
  return Number(tempo) / heardBpm;
}

/** "This is the one": the bar begins at this beat. */
export function startBarAt(body: CorrectionBody, seconds: number): CorrectionBody {
  return { ...body, first_downbeat_seconds: roundTime(seconds), shift_beats: null };
}

/** Times are rounded to a millisecond, here and by the service. */
const SAME_BEAT_SECONDS = 0.002;

export function moveBeat(body: CorrectionBody, fromSeconds: number, toSeconds: number): CorrectionBody {
  const from = roundTime(fromSeconds);
  const to = roundTime(toSeconds);
  const moves = body.beats?.move ?? [];
  // A beat that was moved before is named by where it was heard.
  const before = moves.find(({ to_seconds }) => Math.abs(Number(to_seconds) - from) < SAME_BEAT_SECONDS);
  const others = moves.filter((move) => move !== before);
  const move = [...others, { from_seconds: before?.from_seconds ?? from, to_seconds: to }];
  return { ...body, beats: { ...body.beats, move } };
}

/** The form as it is shown, in the words of a correction. */
export function sectionsOf(result: Result): Section[] {
  return (result.structure?.sections ?? []).map(({ start_seconds, end_seconds, label, group }) => ({
    start_seconds: roundTime(start_seconds),
    end_seconds: roundTime(end_seconds),
    label,
    group,
  }));
}

/** Boundaries are bars apart: so near there is no other. */
const SAME_BOUNDARY_SECONDS = 0.01;

/** A boundary belongs to two sections; neither may vanish. */
export function moveBoundary(sections: Section[], fromSeconds: number, toSeconds: number): Section[] | null {
  const index = sections.findIndex(
    ({ start_seconds }) => Math.abs(Number(start_seconds) - fromSeconds) < SAME_BOUNDARY_SECONDS,
  );
  const [before, after] = [sections[index - 1], sections[index]];
  if (!before || !after) return null;
  const at = roundTime(toSeconds);
  if (at <= Number(before.start_seconds) || at >= Number(after.end_seconds)) return null;
  return sections.map((section) =>
    section === before
      ? { ...section, end_seconds: at }
      : section === after
        ? { ...section, start_seconds: at }
        : section,
  );
}

/** Two sections where there was one, both with its name. */
export function splitSection(sections: Section[], atSeconds: number): Section[] | null {
  const at = roundTime(atSeconds);
  const whole = sections.find(
    ({ start_seconds, end_seconds }) => at > Number(start_seconds) && at < Number(end_seconds),
  );
  if (!whole) return null;
  return sections.flatMap((section) =>
    section === whole
      ? [
          { ...section, end_seconds: at },
          { ...section, start_seconds: at },
        ]
      : [section],
  );
}

export function renameSection(sections: Section[], index: number, label: Section['label']): Section[] {
  return sections.map((section, place) => (place === index ? { ...section, label } : section));
}

/** A span said again takes the place of what was said of it before. */
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

/** Milliseconds: finer is noise, and equal times stay equal. */
function roundTime(seconds: number): number {
  return Math.max(0, Math.round(seconds * 1000) / 1000);
}
