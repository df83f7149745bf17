/**
 * Do sections have the right function? Annotations seldom tell verse from chorus, so only three roles can be compared: the intro,
 * what is sung (verse, pre-chorus, chorus, bridge), and what is played between or after (instrumental, break, outro).
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

/** The role of a corpus's label: letters are phrases of the tune, some words name a function; null for any other word. */
function roleOfTruth(label: string): Role | null {
  if (/^[A-Z]$/.test(label)) return 'sung';
  if (label === 'intro') return 'intro';
  return /^(inst|transition|outro)/.test(label) ? 'played' : null;
}

/** Of the time that has a role in the annotation, the share with the same role in the answer; null when either has none. */
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

/** Chosen: a section is sung when somebody sings for more than this share of it. */
const SUNG_SHARE_MIN = 0.25;

/**
 * Of the time in sections that are called sung or played, the share in which the name agrees with whether somebody sings. An intro or
 * outro may be either, and is left out.
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
