/**
 * What part does each section play: intro, verse, chorus, …?
 *
 * Rules over repetition, place, length and loudness, each with the usage of popular song behind it. They read form, not words or voices, so
 * their confidence is modest, and least where a rule only says "none of the others".
 *
 * 1. The chorus is the group that comes back most, loudest and not first: choruses are the part made to be remembered.
 * 2. The verse is the other recurring group that comes earliest; when nothing else recurs, the longest section before the first chorus.
 * 3. A group that always leads into the chorus, shorter than the verse, is a pre-chorus.
 * 4. A first section that never returns, or is much shorter than what follows, is the intro; a last one likewise the outro.
 * 5. A section in between that never returns: a break when short or much quieter than the piece, a bridge after the second chorus or past the
 *    middle, else instrumental (interlude).
 *
 * After the descriptions of song form in Everett, "The Foundations of Rock", Oxford 2009, chapter 6.
 */

import type { SectionLabel } from '../result.ts';

export type LabelledSection = { label: SectionLabel; confidence: number };

export type SectionOutline = {
  group: number;
  barCount: number;
  /** 0..1 within the piece; null when loudness is not known. */
  energy: number | null;
};

const SHORT_BARS = 4;
const INTRO_BARS_MAX = 16;
const QUIET_ENERGY = 0.6;
/** What a rule is worth, from how often form alone gives the part away. */
const CONFIDENCE = {
  introUnique: 0.8,
  introShort: 0.6,
  chorus: 0.55,
  verse: 0.5,
  preChorus: 0.4,
  outro: 0.6,
  bridge: 0.35,
  break: 0.4,
  instrumental: 0.3,
} as const;

export function labelSections(sections: readonly SectionOutline[]): LabelledSection[] {
  const groups = summariseGroups(sections);
  const chorus = pickChorus(sections, groups);
  const verse = pickVerse(sections, groups, chorus);
  const preChorus = pickPreChorus(sections, groups, chorus, verse);
  return sections.map((section, index) => {
    const { count } = groups.get(section.group)!;
    if (isIntro(sections, index, count, chorus)) {
      return { label: 'intro', confidence: count === 1 ? CONFIDENCE.introUnique : CONFIDENCE.introShort };
    }
    if (section.group === chorus) return { label: 'chorus', confidence: CONFIDENCE.chorus };
    if (section.group === verse) return { label: 'verse', confidence: CONFIDENCE.verse };
    if (section.group === preChorus) return { label: 'pre-chorus', confidence: CONFIDENCE.preChorus };
    if (index === sections.length - 1 && index > 0) return { label: 'outro', confidence: CONFIDENCE.outro };
    return labelRemainder(sections, index, chorus);
  });
}

type GroupSummary = { count: number; first: number; barCount: number; energy: number };

function summariseGroups(sections: readonly SectionOutline[]): Map<number, GroupSummary> {
  const groups = new Map<number, GroupSummary>();
  sections.forEach(({ group, barCount, energy }, index) => {
    const known = groups.get(group) ?? { count: 0, first: index, barCount: 0, energy: 0 };
    known.energy = (known.energy * known.count + (energy ?? 0.5)) / (known.count + 1);
    known.count++;
    known.barCount += barCount;
    groups.set(group, known);
  });
  return groups;
}

function pickChorus(sections: readonly SectionOutline[], groups: Map<number, GroupSummary>): number | null {
  let best: { group: number; worth: number } | null = null;
  for (const [group, { count, first, barCount, energy }] of groups) {
    // The first section of a song, and one heard a single time at its end, are rarely its chorus.
    if (barCount / count <= SHORT_BARS && groups.size > 2) continue;
    // A chorus is arrived at: of two groups alike otherwise, it is the later.
    const arrival = first === 0 ? -2 : 0.2 * Math.min(first, 2);
    const worth = Math.min(count, 4) + 3 * energy + arrival - (count === 1 ? 1.5 : 0);
    if (count === 1 && (first === sections.length - 1 || groups.size < 3)) continue;
    if (!best || worth > best.worth) best = { group, worth };
  }
  return best?.group ?? null;
}

function pickVerse(
  sections: readonly SectionOutline[],
  groups: Map<number, GroupSummary>,
  chorus: number | null,
): number | null {
  const others = [...groups].filter(([group]) => group !== chorus);
  const recurring = others
    .filter(([, { count, barCount }]) => count > 1 && barCount / count > SHORT_BARS)
    .sort(([, a], [, b]) => a.first - b.first);
  if (recurring[0]) return recurring[0][0];
  const firstChorus = chorus === null ? sections.length : groups.get(chorus)!.first;
  const before = others
    .filter(([, { first, barCount }]) => first < firstChorus && barCount > SHORT_BARS)
    .sort(([, a], [, b]) => b.barCount - a.barCount);
  return before[0]?.[0] ?? null;
}

function pickPreChorus(
  sections: readonly SectionOutline[],
  groups: Map<number, GroupSummary>,
  chorus: number | null,
  verse: number | null,
): number | null {
  if (chorus === null || verse === null) return null;
  const verseBars = groups.get(verse)!.barCount / groups.get(verse)!.count;
  for (const [group, { count, barCount, first }] of groups) {
    if (group === chorus || group === verse || count < 2 || first === 0) continue;
    const leads = sections.every(
      (section, index) => section.group !== group || sections[index + 1]?.group === chorus,
    );
    if (leads && barCount / count < verseBars) return group;
  }
  return null;
}

function isIntro(
  sections: readonly SectionOutline[],
  index: number,
  count: number,
  chorus: number | null,
): boolean {
  if (index !== 0 || sections.length < 2) return false;
  const { barCount, group } = sections[0]!;
  if (group === chorus || barCount > INTRO_BARS_MAX) return false;
  return count === 1 || barCount <= sections[1]!.barCount / 2;
}

function labelRemainder(
  sections: readonly SectionOutline[],
  index: number,
  chorus: number | null,
): LabelledSection {
  const section = sections[index]!;
  const chorusesBefore = sections.slice(0, index).filter(({ group }) => group === chorus).length;
  const quiet = section.energy !== null && section.energy < QUIET_ENERGY;
  if (section.barCount <= SHORT_BARS || (quiet && section.barCount <= 2 * SHORT_BARS)) {
    return { label: 'break', confidence: CONFIDENCE.break };
  }
  if (chorusesBefore >= 2 || index > sections.length / 2)
    return { label: 'bridge', confidence: CONFIDENCE.bridge };
  return { label: 'instrumental', confidence: CONFIDENCE.instrumental };
}
