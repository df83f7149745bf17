/**
 * Do sections have the right function? The annotations rarely distinguish verse and chorus, so only three roles are compared: intro, sung
 * (verse, pre-chorus, chorus, bridge) and played (instrumental, break, outro). The measure is our own.
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

/** In the annotations a letter is a phrase of the tune, which is sung; some words name a function. Null for any other label. */
function roleOfTruth(label: string): Role | null {
  if (/^[A-Z]$/.test(label)) return 'sung';
  if (label === 'intro') return 'intro';
  return /^(inst|transition|outro)/.test(label) ? 'played' : null;
}

/** The share of the time with an annotated role that has the same role in the answer; null without annotated roles or an answer. */
export function rateRoles(truth: readonly Span[], guess: readonly Span[]): number | null {
  let scoredSeconds = 0;
  let rightSeconds = 0;
  for (const span of truth) {
    const role = roleOfTruth(span.label);
    if (role === null) continue;
    scoredSeconds += span.end - span.start;
    for (const other of guess) {
      if (ROLES[other.label] === role) rightSeconds += overlapSeconds(span, other);
    }
  }
  return scoredSeconds === 0 || guess.length === 0 ? null : rightSeconds / scoredSeconds;
}

/** A section counts as sung above this share: even a verse has pauses between its lines. */
const SUNG_SHARE_MIN = 0.25;

/**
 * The share of the time in sung or played sections in which the label agrees with the annotated singing. Intros and outros are left out,
 * because either may be sung. Null without such sections.
 */
export function rateVoicedRoles(
  sung: readonly (readonly [startSeconds: number, endSeconds: number])[],
  guess: readonly Span[],
): number | null {
  let scoredSeconds = 0;
  let rightSeconds = 0;
  for (const section of guess) {
    const lengthSeconds = section.end - section.start;
    if (section.label === 'intro' || section.label === 'outro' || lengthSeconds <= 0) continue;
    const sungSeconds = sung.reduce((sum, [start, end]) => sum + overlapSeconds(section, { start, end }), 0);
    scoredSeconds += lengthSeconds;
    if (sungSeconds / lengthSeconds > SUNG_SHARE_MIN === (ROLES[section.label] === 'sung'))
      rightSeconds += lengthSeconds;
  }
  return scoredSeconds === 0 ? null : rightSeconds / scoredSeconds;
}

function overlapSeconds(a: Omit<Span, 'label'>, b: Omit<Span, 'label'>): number {
  return Math.max(0, Math.min(a.end, b.end) - Math.max(a.start, b.start));
}
