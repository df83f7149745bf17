/**
 * Are sections called by the right words? Annotations seldom tell verse from chorus in words, so what can be held against them are three roles: the
 * intro, what is sung (verse, pre-chorus, chorus, bridge) and what is played in between or after (instrumental, break, outro).
 */

import type { Span } from './spans.ts';

type Role = 'intro' | 'sung' | 'played';

const ROLES: Record<string, Role> = {
  intro: 'intro',
  verse: 'sung',
  'pre-chorus': 'sung',
  chorus: 'sung',
  bridge: 'sung',
  instrumental: 'played',
  break: 'played',
  outro: 'played',
};

/** Of the corpora's words: letters are phrases of the tune; the others say what they are. Null for a word that does not. */
function roleOfTruth(label: string): Role | null {
  if (/^[A-Z]$/.test(label)) return 'sung';
  if (label === 'intro') return 'intro';
  return /^(inst|transition|outro)/.test(label) ? 'played' : null;
}

/** Share of the time that has a role in the annotation and the same role in the answer; null when either says nothing. */
export function rateRoles(truth: readonly Span[], guess: readonly Span[]): number | null {
  let knownSeconds = 0;
  let rightSeconds = 0;
  for (const span of truth) {
    const role = roleOfTruth(span.label);
    if (role === null) continue;
    knownSeconds += span.end - span.start;
    for (const other of guess) {
      if (ROLES[other.label] === role) rightSeconds += overlapSeconds(span, other);
    }
  }
  return knownSeconds === 0 || guess.length === 0 ? null : rightSeconds / knownSeconds;
}

/** Somebody sings in it: in more than this share of the section. Our choice. */
const SUNG_SHARE_MIN = 0.25;

/**
 * Of the time in sections that are called sung, or played in between: the share in sections where somebody does sing, or does not. Intro and outro
 * may be either.
 */
export function rateVoicedRoles(
  sung: readonly (readonly [startSeconds: number, endSeconds: number])[],
  guess: readonly Span[],
): number | null {
  let knownSeconds = 0;
  let rightSeconds = 0;
  for (const section of guess) {
    const lengthSeconds = section.end - section.start;
    if (section.label === 'intro' || section.label === 'outro' || lengthSeconds <= 0) continue;
    const sungSeconds = sung.reduce((sum, [start, end]) => sum + overlapSeconds(section, { start, end }), 0);
    knownSeconds += lengthSeconds;
    if (sungSeconds / lengthSeconds > SUNG_SHARE_MIN === (ROLES[section.label] === 'sung'))
      rightSeconds += lengthSeconds;
  }
  return knownSeconds === 0 ? null : rightSeconds / knownSeconds;
}

function overlapSeconds(a: Omit<Span, 'label'>, b: Omit<Span, 'label'>): number {
  return Math.max(0, Math.min(a.end, b.end) - Math.max(a.start, b.start));
}
