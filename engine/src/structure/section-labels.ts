/**
 * What is the function of each section: intro, verse, chorus, …?
 *
 * Rules over repetition, position, length, loudness and voice that follow the conventions of popular song. They know the form but not the lyrics, so
 * confidence is modest, and lowest for sections that merely fit no other label. In a sung song, verse, chorus and bridge are sung: a section without a
 * voice is an intro, an outro, a break or an instrumental even if it repeats another, since solos are often played over the verse.
 *
 * 1. A first section of up to 16 bars is the intro if it never returns, is at most half as long as the next, or has no voice while the next has.
 * 2. The group of the first section after it that is not short, and is sung if the song is, is the verse.
 * 3. The chorus is the other group that maximises a score of occurrences and loudness: the part made to be remembered. It is not that of the intro, not
 *    short, and sung if the song is. If the verse is clearly louder and occurs at least as often, the song opens with its chorus, and the two swap.
 * 4. A group that occurs again, is shorter than the verse and always leads into the chorus is a pre-chorus, unless it opens the song.
 * 5. A last section with none of these labels, or without a voice in a sung song, is the outro.
 * 6. Other sections without a voice in a sung song are breaks if short, otherwise instrumentals (interludes).
 * 7. The rest are breaks if short, or if quiet and at most twice that long; bridges if sung, after the second chorus or past the middle; otherwise
 *    instrumentals.
 *
 * After the descriptions of song form in Everett, "The Foundations of Rock", Oxford 2009, chapter 6.
 */

import type { SectionLabel } from '../result.ts';

export type LabelledSection = { label: SectionLabel; confidence: number };

export type SectionOutline = {
  group: number;
  barCount: number;
  /** 0..1 within the piece, where 0.15 is 3 LU (section-facts.ts); null in silence. */
  energy: number | null;
  /** Share of the section with a voice; null when the voice network was not run. */
  voiceShare: number | null;
};

/** A section is short up to this length, or up to half the longest section if that is less. */
const SHORT_BARS = 4;
const INTRO_BARS_MAX = 16;
const QUIET_ENERGY = 0.6;
/** Further occurrences do not make a group more likely to be the chorus. */
const CHORUS_COUNT_MAX = 4;
/** The full range of energy, 20 LU, weighs as much as three more occurrences. */
const CHORUS_ENERGY_WEIGHT = 3;
/** 3 LU (section-facts.ts). */
const CLEARLY_LOUDER_ENERGY = 0.15;
/** Up to this share a detected voice counts as an error of the network. */
const UNSUNG_VOICE_SHARE_MAX = 0.15;
/** A song is sung if any of its sections reaches this share. */
const SUNG_VOICE_SHARE_MIN = 0.35;
/** Estimates of how often each rule is right: no corpus we have labels verse and chorus (docs/algorithms.md). The limits above were set by hand too. */
const CONFIDENCE = {
  introUnique: 0.8,
  introShort: 0.6,
  chorus: 0.55,
  verse: 0.6,
  preChorus: 0.4,
  outro: 0.6,
  bridge: 0.35,
  break: 0.4,
  instrumental: 0.3,
  /** A break or an instrumental without a voice in a sung song. */
  unsung: 0.6,
} as const;

export function labelSections(outlines: readonly SectionOutline[]): LabelledSection[] {
  const isSungSong = outlines.some(
    ({ voiceShare }) => voiceShare !== null && voiceShare >= SUNG_VOICE_SHARE_MIN,
  );
  const sections = isSungSong ? outlines : outlines.map((outline) => ({ ...outline, voiceShare: null }));
  const groups = summariseGroups(sections);
  const hasIntro = isIntro(sections, groups);
  const shortBars = Math.min(SHORT_BARS, Math.max(...sections.map(({ barCount }) => barCount)) / 2);
  const { verse, chorus } = pickVerseAndChorus(sections, groups, hasIntro, shortBars);
  const preChorus = pickPreChorus(sections, groups, chorus, verse);
  return sections.map((section, index) => {
    if (hasIntro && index === 0) {
      const isUnique = groups.get(section.group)!.count === 1;
      return { label: 'intro', confidence: isUnique ? CONFIDENCE.introUnique : CONFIDENCE.introShort };
    }
    if (isUnsung(section)) return labelUnsung(sections, index, shortBars);
    if (section.group === chorus) return { label: 'chorus', confidence: CONFIDENCE.chorus };
    if (section.group === verse) return { label: 'verse', confidence: CONFIDENCE.verse };
    if (section.group === preChorus) return { label: 'pre-chorus', confidence: CONFIDENCE.preChorus };
    if (index === sections.length - 1) return { label: 'outro', confidence: CONFIDENCE.outro };
    return labelRemainder(sections, index, chorus, shortBars);
  });
}

function isUnsung({ voiceShare }: SectionOutline): boolean {
  return voiceShare !== null && voiceShare <= UNSUNG_VOICE_SHARE_MAX;
}

function labelUnsung(sections: readonly SectionOutline[], index: number, shortBars: number): LabelledSection {
  if (index === sections.length - 1) return { label: 'outro', confidence: CONFIDENCE.outro };
  const label = sections[index]!.barCount <= shortBars ? 'break' : 'instrumental';
  return { label, confidence: CONFIDENCE.unsung };
}

type GroupSummary = {
  count: number;
  firstIndex: number;
  /** Over all its sections. */
  barCount: number;
  /** The mean over its sections; null counts as 0.5. */
  energy: number;
  /** Whether any of its sections may be sung. */
  isSung: boolean;
};

function summariseGroups(sections: readonly SectionOutline[]): Map<number, GroupSummary> {
  const groups = new Map<number, GroupSummary>();
  sections.forEach((section, index) => {
    const { group, barCount, energy } = section;
    const known = groups.get(group) ?? { count: 0, firstIndex: index, barCount: 0, energy: 0, isSung: false };
    known.isSung ||= !isUnsung(section);
    known.energy = (known.energy * known.count + (energy ?? 0.5)) / (known.count + 1);
    known.count++;
    known.barCount += barCount;
    groups.set(group, known);
  });
  return groups;
}

function pickVerseAndChorus(
  sections: readonly SectionOutline[],
  groups: Map<number, GroupSummary>,
  hasIntro: boolean,
  shortBars: number,
): { verse: number | null; chorus: number | null } {
  const first = sections.find(
    (section, index) => !(hasIntro && index === 0) && section.barCount > shortBars && !isUnsung(section),
  )?.group;
  if (first === undefined) return { verse: null, chorus: null };
  let best: { group: number; score: number } | null = null;
  for (const [group, { count, barCount, energy, isSung }] of groups) {
    const isIntroGroup = hasIntro && group === sections[0]!.group;
    if (group === first || isIntroGroup || !isSung || barCount / count <= shortBars) continue;
    const score = Math.min(count, CHORUS_COUNT_MAX) + CHORUS_ENERGY_WEIGHT * energy;
    if (!best || score > best.score) best = { group, score };
  }
  if (!best) return { verse: first, chorus: null };
  const [opening, other] = [groups.get(first)!, groups.get(best.group)!];
  const opensWithChorus =
    opening.count >= other.count && opening.energy > other.energy + CLEARLY_LOUDER_ENERGY;
  return opensWithChorus ? { verse: best.group, chorus: first } : { verse: first, chorus: best.group };
}

function pickPreChorus(
  sections: readonly SectionOutline[],
  groups: Map<number, GroupSummary>,
  chorus: number | null,
  verse: number | null,
): number | null {
  if (chorus === null || verse === null) return null;
  const verseBars = groups.get(verse)!.barCount / groups.get(verse)!.count;
  for (const [group, { count, barCount, firstIndex }] of groups) {
    // The chorus cannot qualify, as its last section does not lead into a chorus, nor the verse, which is not shorter than itself.
    if (count < 2 || firstIndex === 0) continue;
    const isLeading = sections.every(
      (section, index) => section.group !== group || sections[index + 1]?.group === chorus,
    );
    if (isLeading && barCount / count < verseBars) return group;
  }
  return null;
}

function isIntro(sections: readonly SectionOutline[], groups: Map<number, GroupSummary>): boolean {
  const [first, second] = sections;
  if (!first || !second || first.barCount > INTRO_BARS_MAX) return false;
  const isPrelude = isUnsung(first) && !isUnsung(second);
  return groups.get(first.group)!.count === 1 || first.barCount <= second.barCount / 2 || isPrelude;
}

function labelRemainder(
  sections: readonly SectionOutline[],
  index: number,
  chorus: number | null,
  shortBars: number,
): LabelledSection {
  const section = sections[index]!;
  const chorusesBefore = sections.slice(0, index).filter(({ group }) => group === chorus).length;
  const isQuiet = section.energy !== null && section.energy < QUIET_ENERGY;
  if (section.barCount <= shortBars || (isQuiet && section.barCount <= 2 * shortBars)) {
    return { label: 'break', confidence: CONFIDENCE.break };
  }
  if (chorusesBefore >= 2 || index > sections.length / 2 || section.voiceShare !== null)
    return { label: 'bridge', confidence: CONFIDENCE.bridge };
  return { label: 'instrumental', confidence: CONFIDENCE.instrumental };
}
