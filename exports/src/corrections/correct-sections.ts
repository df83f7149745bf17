/** Corrects the form. A section takes loudness, energy, tempo and key from the heard section that it overlaps most. */

import { nameGroup } from '@earshot/engine';
import { checkSpans } from './check-spans.ts';
import type { Corrections, Structure } from './corrections.ts';

type Section = Structure['sections'][number];

export function correctSections(
  structure: Structure,
  durationSeconds: number,
  said: NonNullable<Corrections['sections']>,
): Structure {
  checkSpans('sections', said, durationSeconds);
  const letterOf = nameGroups(said);
  const sections = said.map((section): Section => {
    const heard = longestOverlap(structure.sections, section);
    return {
      start_seconds: section.start_seconds,
      end_seconds: Math.min(section.end_seconds, durationSeconds),
      label: section.label,
      label_confidence: 1,
      group: section.group ?? letterOf(section.label),
      confidence: 1,
      // Filled in by apply-corrections.ts, because the bars may be corrected too.
      start_bar: null,
      bpm: heard?.bpm ?? null,
      key: heard?.key ?? null,
      loudness_lufs: heard?.loudness_lufs ?? null,
      energy: heard?.energy ?? null,
    };
  });
  return { ...structure, sections };
}

/** The letter of a section without one: that of another section with its label, or else the next unused letter. */
function nameGroups(said: NonNullable<Corrections['sections']>): (label: string) => string {
  const letters = new Map<string, string>();
  for (const { label, group } of said) if (group != null && !letters.has(label)) letters.set(label, group);
  const taken = new Set(said.map(({ group }) => group));
  let number = 0;
  for (const { label } of said) {
    if (letters.has(label)) continue;
    while (taken.has(nameGroup(number))) number += 1;
    letters.set(label, nameGroup(number));
    number += 1;
  }
  return (label) => letters.get(label)!;
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
