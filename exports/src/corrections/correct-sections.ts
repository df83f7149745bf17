/** The form as a person says it is. What the sound says of a section is taken from the heard one it lies over. */

import { CorrectionContradicts, type Corrections, type Structure } from './corrections.ts';

type Section = Structure['sections'][number];

/** A player's rounding of the last second. */
const END_TOLERANCE_SECONDS = 0.5;
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';

export function correctSections(
  structure: Structure,
  durationSeconds: number,
  said: NonNullable<Corrections['sections']>,
): Structure {
  const letters = new Map<string, string>();
  const sections = said.map((section, index): Section => {
    checkSection(said, index, durationSeconds);
    const heard = longestOverlap(structure.sections, section);
    if (!letters.has(section.label)) letters.set(section.label, LETTERS[letters.size % LETTERS.length]!);
    return {
      start_seconds: section.start_seconds,
      end_seconds: Math.min(section.end_seconds, durationSeconds),
      label: section.label,
      label_confidence: 1,
      group: section.group ?? letters.get(section.label)!,
      confidence: 1,
      start_bar: null,
      bpm: heard?.bpm ?? null,
      key: heard?.key ?? null,
      loudness_lufs: heard?.loudness_lufs ?? null,
      energy: heard?.energy ?? null,
    };
  });
  return { ...structure, sections };
}

function checkSection(
  said: NonNullable<Corrections['sections']>,
  index: number,
  durationSeconds: number,
): void {
  const { start_seconds, end_seconds } = said[index]!;
  const at = (member: string) => ['sections', index, member];
  if (end_seconds <= start_seconds) {
    throw new CorrectionContradicts(at('end_seconds'), 'a section ends after it begins');
  }
  if (end_seconds > durationSeconds + END_TOLERANCE_SECONDS) {
    throw new CorrectionContradicts(at('end_seconds'), `the song ends at ${durationSeconds} s`);
  }
  if (index > 0 && start_seconds < said[index - 1]!.end_seconds) {
    throw new CorrectionContradicts(at('start_seconds'), 'sections are in order and do not overlap');
  }
}

function longestOverlap(
  heard: readonly Section[],
  said: { start_seconds: number; end_seconds: number },
): Section | null {
  let best: { section: Section; seconds: number } | null = null;
  for (const section of heard) {
    const seconds =
      Math.min(section.end_seconds, said.end_seconds) - Math.max(section.start_seconds, said.start_seconds);
    if (seconds > (best?.seconds ?? 0)) best = { section, seconds };
  }
  return best?.section ?? null;
}
