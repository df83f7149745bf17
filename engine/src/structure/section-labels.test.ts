import { describe, expect, it } from 'vitest';
import { labelSections, type SectionOutline } from './section-labels.ts';

/** "A8" is eight bars of group A at full energy, "A8/.5" at half; "A8-" has no voice and "A8+" has one. */
const readForm = (text: string): SectionOutline[] =>
  text.split(' ').map((word) => {
    const [, letter, bars, energy, voice] = /^([A-Z])(\d+)(?:\/([.\d]+))?([-+])?$/.exec(word)!;
    return {
      group: letter!.charCodeAt(0) - 65,
      barCount: Number(bars),
      energy: Number(energy ?? 1),
      voice: voice === undefined ? null : Number(voice === '+'),
    };
  });
const labels = (text: string): string =>
  labelSections(readForm(text))
    .map(({ label }) => label)
    .join(' ');

describe('section labels', () => {
  it.each([
    ['A8/.6 B16/.7 C8 B16/.7 C8 D8/.8 C8 E4/.5', 'intro verse chorus verse chorus bridge chorus outro'],
    ['A4/.5 B16/.7 C4/.8 D8 B16/.7 C4/.8 D8', 'intro verse pre-chorus chorus verse pre-chorus chorus'],
    ['A8/.5 B16/.7 C16 D2/.8 B16/.7 C16', 'intro verse chorus break verse chorus'],
    ['A16/.7 B8 A16/.7 B8', 'verse chorus verse chorus'],
    ['A4/.6 B8 C16/.7 B8 C16/.7 B8', 'intro chorus verse chorus verse chorus'],
    ['A8/.6 B16/.8 C16/.9 D2 B16/.8', 'intro verse chorus break verse'],
    ['A4/.6 B4/.8 C4 D2/.5 C4 B4/.8', 'intro verse chorus break chorus verse'],
  ])('%s', (form, expected) => {
    expect(labels(form)).toBe(expected);
  });

  it.each([
    ['A16/.7- A16/.7+ B8+ A16/.7- B8+', 'intro verse chorus instrumental chorus'],
    ['A8/.6- B16/.7+ C8+ D8- B16/.7+ C8+ D8-', 'intro verse chorus instrumental verse chorus outro'],
    ['A8/.6- B16/.7+ C8+ D8/.8+ C8+ E4-', 'intro verse chorus bridge chorus outro'],
    ['A8- B16- C8- B16- C8-', 'intro verse chorus verse chorus'],
  ])('%s, with the voice known', (form, expected) => {
    expect(labels(form)).toBe(expected);
  });

  it('labels every section, with a confidence below certainty', () => {
    for (const form of ['A8', 'A8 B8', 'A4 B4 C4', 'A8 B8 C8 D8 E8']) {
      for (const { label, confidence } of labelSections(readForm(form))) {
        expect(label).not.toBe('');
        expect(confidence).toBeGreaterThan(0);
        expect(confidence).toBeLessThan(1);
      }
    }
  });

  it('does without loudness', () => {
    const form = readForm('A8 B16 C8 B16 C8').map((section) => ({ ...section, energy: null }));
    expect(labelSections(form).map(({ label }) => label)).toEqual([
      'intro',
      'verse',
      'chorus',
      'verse',
      'chorus',
    ]);
  });
});
