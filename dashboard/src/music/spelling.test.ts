import { PITCH_NAMES } from '@earshot/contract';
import { describe, expect, it } from 'vitest';
import { showChord } from './chords.ts';
import { KEY_NAMES, keyName, PITCH_CLASSES, spellKey, transposeFifths } from './spelling.ts';

describe('a key has its usual spelling', () => {
  it.each([
    ['C#', 'Db'],
    ['Eb', 'Eb'],
    ['F#', 'F#'],
    ['Ab', 'Ab'],
    ['Abm', 'G#m'],
    ['C#m', 'C#m'],
    ['Ebm', 'Ebm'],
    ['Bbm', 'Bbm'],
    ['Am', 'Am'],
    ['B', 'B'],
  ])('%s is %s', (notation, spelled) => {
    expect(spellKey(notation)).toBe(spelled);
  });

  it('in the list of all keys, none with more than six accidentals', () => {
    expect(PITCH_CLASSES).toEqual(PITCH_NAMES);
    expect(KEY_NAMES.map((name) => name.replace(' major', '').replace(' minor', 'm')).join(' ')).toBe(
      'C Db D Eb E F F# G Ab A Bb B Cm C#m Dm Ebm Em Fm F#m Gm G#m Am Bbm Bm',
    );
  });

  it('in words', () => {
    expect([keyName('C#', 'major'), keyName('Ab', 'minor')]).toEqual(['Db major', 'G# minor']);
  });
});

describe('transposed chords are spelled for their new key', () => {
  it.each([
    ['as the service writes them', 'C', 0, 'C:maj Bb:maj Ab:maj F#:dim', 'C Bb Ab F#°'],
    ['the leading note of D minor stays C#', 'Dm', 0, 'D:min Bb:maj C#:dim', 'Dm Bb C#°'],
    ['F with a capo on the first fret is E', 'F', -1, 'F:maj Bb:maj C:maj D:min', 'E A B C#m'],
    ['E with a capo on the fourth is C', 'E', -4, 'E:maj D:maj C#:min', 'C Bb Am'],
    ['B with a capo on the third is Ab', 'B', -3, 'B:maj E:maj F#:maj G#:min', 'Ab Db Eb Fm'],
    ['E minor with a capo on the third is C sharp minor', 'Em', -3, 'E:min G:maj B:7', 'C#m E G#7'],
    ['the service writes Eb minor with sharps', 'Ebm', 0, 'D#:min F#:maj A#:min B:maj', 'Ebm Gb Bbm B'],
    ['without a key as in C', null, -2, 'C:maj F:maj Bb:maj', 'Bb Eb Ab'],
  ])('%s', (_name, key, semitones, labels, shown) => {
    const fifths = transposeFifths(key, semitones);
    expect(
      labels
        .split(' ')
        .map((label) => showChord(label, fifths))
        .join(' '),
    ).toBe(shown);
  });
});
