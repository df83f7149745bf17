/** Corrects the form. A corrected section takes loudness, energy, tempo and key from the heard section it overlaps most. */

import { nameGroup } from '@earshot/engine';
import type { Section, Structure } from '../result-document.ts';
import { checkSpans } from './check-spans.ts';
import type { Corrections } from './corrections.ts';

export function correctSections(
  structure: Structure,
  durationSeconds: number,
  given: NonNullable<Corrections['sections']>,
): Structure {
  checkSpans('sections', given, durationSeconds);
  const letterOf = nameGroups(given);
  const sections = given.map((section): Section => {
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

/** The group of a section without one: that of another section with the same label, or else the next unused letter. */
function nameGroups(given: NonNullable<Corrections['sections']>): (label: string) => string {
  const letters = new Map<string, string>();
  for (const { label, group } of given) if (group != null && !letters.has(label)) letters.set(label, group);
  const taken = new Set(given.map(({ group }) => group));
  let number = 0;
  for (const { label } of given) {
    if (letters.has(label)) continue;
    while (taken.has(nameGroup(number))) number += 1;
    letters.set(label, nameGroup(number));
    number += 1;
  }
  return (label) => letters.get(label)!;
}

function longestOverlap(
  heard: readonly Section[],
  span: { start_seconds: number; end_seconds: number },
): Section | null {
  let best: { section: Section; seconds: number } | null = null;
  for (const section of heard) {
    const seconds =
      Math.min(section.end_seconds, span.end_seconds) - Math.max(section.start_seconds, span.start_seconds);
    if (seconds > (best?.seconds ?? 0)) best = { section, seconds };
  }
  return best?.section ?? null;
}
