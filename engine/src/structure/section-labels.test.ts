import { describe, expect, it } from 'vitest';
import { labelSections, type SectionOutline } from './section-labels.ts';

/** "A8" is eight bars of group A at full energy, "A8/.5" at half; "A8-" has no voice, "A8+" is sung throughout, "A8@.3" for a share of .3. */
const readForm = (text: string): SectionOutline[] =>
  text.split(' ').map((word) => {
    const [, letter, bars, energy, voice] = /^([A-Z])(\d+)(?:\/([.\d]+))?([-+]|@[.\d]+)?$/.exec(word)!;
    return {
      group: letter!.charCodeAt(0) - 65,
      barCount: Number(bars),
      energy: Number(energy ?? 1),
      voiceShare: voice === undefined ? null : (VOICE[voice] ?? Number(voice.slice(1))),
    };
  });
const VOICE: Record<string, number> = { '+': 1, '-': 0 };
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
  ])('%s, with known voice', (form, expected) => {
    expect(labels(form)).toBe(expected);
  });

  it.each([
    [
      'a song with a voice share of .35 is sung',
      'A16/.7@.35 B8@.35 A16/.7@0 B8@.35',
      'verse chorus instrumental chorus',
    ],
    [
      'a song with a voice share of .34 is not sung',
      'A16/.7@.34 B8@.34 A16/.7@0 B8@.34',
      'verse chorus verse chorus',
    ],
    [
      'a voice share of .15 counts as no voice',
      'A16/.7+ B8+ A16/.7@.15 B8+',
      'verse chorus instrumental chorus',
    ],
    ['a voice share of .16 counts as a voice', 'A16/.7+ B8+ A16/.7@.16 B8+', 'verse chorus verse chorus'],
    [
      'four bars without a voice are a break',
      'A16/.7+ B8+ C4- A16/.7+ B8+',
      'verse chorus break verse chorus',
    ],
    [
      'five bars without a voice are an instrumental',
      'A16/.7+ B8+ C5- A16/.7+ B8+',
      'verse chorus instrumental verse chorus',
    ],
    [
      'a group without a voice is not the chorus',
      'A16/.6+ B8- A16/.6+ B8- C8/.7+ B8- C8/.7+',
      'verse instrumental verse instrumental chorus instrumental chorus',
    ],
    ['a short sung section is not the verse', 'A3+ B12- A12- B12-', 'intro instrumental instrumental outro'],
    [
      'a group that does not always lead into the chorus is not a pre-chorus',
      'A16/.7 B4/.8 C8 A16/.7 B4/.8 C8 B4/.8',
      'verse break chorus verse break chorus outro',
    ],
    ['a single section', 'A8', 'verse'],
    [
      'a song with a voice in short sections only has no verse',
      'A8- B2+ C8- B2+',
      'intro break instrumental outro',
    ],
    [
      'a verse has more than four bars',
      'A4/.7 B7/.7 C8 A4/.7 B7/.7 C8',
      'break verse chorus break verse chorus',
    ],
    [
      'a chorus has more than four bars',
      'A16/.6 B4 C8/.7 B4 A16/.6 C8/.7 B4',
      'verse break chorus break verse chorus outro',
    ],
    [
      'an intro that returns is not the chorus',
      'A8 B16/.6 C8/.7 A8 B16/.6 C8/.7 A8',
      'intro verse chorus instrumental verse chorus outro',
    ],
    [
      'of two groups with equally many occurrences, the louder is the chorus',
      'A16/.5 B8/.6 C8 B8/.6 A16/.5 C8',
      'verse instrumental chorus instrumental verse chorus',
    ],
    [
      'two more occurrences outweigh 8 LU',
      'A16/.5 B8/.6 C8 B8/.6 A16/.5 B8/.6',
      'verse chorus instrumental chorus verse chorus',
    ],
    [
      'six occurrences count no more than four',
      'A16/.5 B8/.6 B8/.6 B8/.6 C8/.7 C8/.7 A16/.5 B8/.6 B8/.6 B8/.6 C8/.7 C8/.7',
      'verse instrumental instrumental instrumental chorus chorus verse bridge bridge bridge chorus chorus',
    ],
    [
      'of two groups with equal scores, the first is the chorus',
      'A16/.5 B8/.8 C8/.8 A16/.5 B8/.8 C8/.8',
      'verse chorus instrumental verse chorus outro',
    ],
    [
      'one more occurrence outweighs 6 LU',
      'A16/.5 B8/.7 C8 B8/.7 A16/.5',
      'verse chorus instrumental chorus verse',
    ],
    [
      'one more occurrence does not outweigh 7 LU',
      'A16/.5 B8/.65 C8 B8/.65 A16/.5',
      'verse instrumental chorus bridge verse',
    ],
    [
      'a song may open with its chorus if that is more than 3 LU louder',
      'A8/.86 B12/.7 A8/.86 B12/.7',
      'chorus verse chorus verse',
    ],
    [
      'a song does not open with its chorus if that is no more than 3 LU louder',
      'A8/.85 B12/.7 A8/.85 B12/.7',
      'verse chorus verse chorus',
    ],
    [
      'a song does not open with its chorus if the other group occurs more often',
      'A8 B12/.7 C8/.1 B12/.7 A8 B12/.7',
      'verse chorus break chorus verse chorus',
    ],
    [
      'a group longer than the verse is not a pre-chorus',
      'A8/.7 B12/.8 C8 A8/.7 B12/.8 C8',
      'verse instrumental chorus verse bridge chorus',
    ],
    [
      'a group as long as the verse is not a pre-chorus',
      'A8/.7 B8/.8 C8 A8/.7 B8/.8 C8',
      'verse instrumental chorus verse bridge chorus',
    ],
    [
      'a group that opens the song is not a pre-chorus',
      'A4/.7 C7 B16/.7 A4/.7 C7 B16/.7',
      'break chorus verse break chorus verse',
    ],
    [
      'a group that once leads elsewhere is not a pre-chorus',
      'A16/.6 B6/.7 C8 A16/.6 C8 B6/.7 A16/.6 C8',
      'verse instrumental chorus verse chorus bridge verse chorus',
    ],
    ['an intro may have 16 bars', 'A16/.6 B16/.7 C8 B16/.7 C8', 'intro verse chorus verse chorus'],
    [
      'a first section of more than 16 bars is not an intro',
      'A17/.6 B16/.7 C8 B16/.7 C8',
      'verse pre-chorus chorus pre-chorus chorus',
    ],
    [
      'a section past the middle is a bridge',
      'A16/.6 B8 A16/.6 A16/.6 D6/.9 B8',
      'verse chorus verse verse bridge chorus',
    ],
    [
      'a section in the middle is an instrumental',
      'A16/.6 B8 A16/.6 D6/.9 B8 A16/.6',
      'verse chorus verse instrumental chorus verse',
    ],
    [
      'a section after the second chorus is a bridge',
      'A16/.6 B8 B8 D6/.9 A16/.6 B8 A16/.6 B8',
      'verse chorus chorus bridge verse chorus verse chorus',
    ],
    [
      'eight quiet bars are a break',
      'A16/.8 B8 D8/.59 A16/.8 B8 A16/.8 B8',
      'verse chorus break verse chorus verse chorus',
    ],
    [
      'nine quiet bars are not a break',
      'A16/.8 B8 D9/.59 A16/.8 B8 A16/.8 B8',
      'verse chorus instrumental verse chorus verse chorus',
    ],
    [
      'eight bars at an energy of .6 are not a break',
      'A16/.8 B8 D8/.6 A16/.8 B8 A16/.8 B8',
      'verse chorus instrumental verse chorus verse chorus',
    ],
  ])('%s: %s', (_rule, form, expected) => {
    expect(labels(form)).toBe(expected);
  });

  it.each([
    [
      'lower for an intro that returns',
      'A4/.5 B16/.7 C8 A4/.5 B16/.7 C8',
      'intro .6, verse .6, chorus .55, break .4, verse .6, chorus .55',
    ],
    [
      'low for what merely fits no other label',
      'A4/.5 B16/.7 C4/.8 D8 E8/.9 B16/.7 C4/.8 D8 F8/.9 G4/.5',
      'intro .8, verse .6, pre-chorus .4, chorus .55, instrumental .3, verse .6, pre-chorus .4, chorus .55, bridge .35, outro .6',
    ],
    [
      'higher for sections without a voice in a sung song',
      'A16/.7+ B8+ C4- D8- A16/.7+ B8+',
      'verse .6, chorus .55, break .6, instrumental .6, verse .6, chorus .55',
    ],
  ])('have a confidence by their rule, %s', (_rule, form, expected) => {
    const labelled = labelSections(readForm(form));
    expect(labelled.map(({ label, confidence }) => `${label} ${`${confidence}`.slice(1)}`).join(', ')).toBe(
      expected,
    );
  });

  it('need no loudness', () => {
    const form = readForm('A16 B8 D8 A16 B8 A16 B8').map((section) => ({ ...section, energy: null }));
    const expected = 'verse chorus instrumental verse chorus verse chorus';
    expect(labelSections(form).map(({ label }) => label)).toEqual(expected.split(' '));
  });

  it('take an unknown loudness for the middle of its range', () => {
    const labelsBeside = (energyOfB: number) => {
      const form = readForm(`A16/.3 B8/${energyOfB} C8 A16/.3 B8/${energyOfB} C8`);
      const outlines = form.map((section) => (section.group === 2 ? { ...section, energy: null } : section));
      return labelSections(outlines)
        .map(({ label }) => label)
        .join(' ');
    };
    expect(labelsBeside(0.49)).toBe('verse pre-chorus chorus verse pre-chorus chorus');
    expect(labelsBeside(0.51)).toBe('verse chorus instrumental verse chorus outro');
  });
});
