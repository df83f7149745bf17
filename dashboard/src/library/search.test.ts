import { describe, expect, it } from 'vitest';
import { fieldText, isFiltered, readSearch, toQuery, WHOLE_LIBRARY, writeSearch } from './search.ts';

describe('a search in the URL', () => {
  it('survives being written and read', () => {
    const search = {
      ...WHOLE_LIBRARY,
      q: 'älter & neu',
      bpmMin: 120,
      bpmMax: 128.5,
      keys: ['8A', '12B'],
      genre: 'techno',
      tag: 'warm-up',
      voice: 'no' as const,
      energyMin: 0.4,
      sort: 'bpm' as const,
      descending: false,
    };
    expect(readSearch(writeSearch(search))).toEqual(search);
  });

  it('is empty for the whole library, newest first, but not for oldest first', () => {
    expect([writeSearch(WHOLE_LIBRARY), toQuery(WHOLE_LIBRARY), isFiltered(WHOLE_LIBRARY)]).toEqual([
      '',
      {},
      false,
    ]);
    const oldestFirst = { ...WHOLE_LIBRARY, descending: false };
    expect([writeSearch(oldestFirst), isFiltered(oldestFirst)]).toEqual(['sort=created_at', false]);
    expect(isFiltered({ ...WHOLE_LIBRARY, tag: 'vinyl' })).toBe(true);
  });

  it('has a minus before the field of a descending order', () => {
    const fastestFirst = { ...WHOLE_LIBRARY, sort: 'bpm', descending: true } as const;
    expect(writeSearch(fastestFirst)).toBe('sort=-bpm');
    expect(readSearch('sort=-bpm')).toEqual(fastestFirst);
  });

  it('is without the spaces around the text, and without a text of nothing else', () => {
    expect(writeSearch({ ...WHOLE_LIBRARY, q: ' night bus ' })).toBe('q=night+bus');
    expect(writeSearch({ ...WHOLE_LIBRARY, q: ' ' })).toBe('');
  });

  it('ignores values it does not know', () => {
    expect(readSearch('bpm_min=fast&key=13C&voice=maybe&sort=colour')).toEqual(WHOLE_LIBRARY);
    expect(readSearch('sort=toString')).toEqual(WHOLE_LIBRARY);
    expect(readSearch('voice=yes').voice).toBe('yes');
  });
});

describe('the text of the search field', () => {
  it.each([
    ['stays while typing continues', 'night b', 'night', 'night', 'night b'],
    ['keeps a trailing space, which the URL does not', 'night ', 'night ', 'night', 'night '],
    ['is cleared with the search', 'night', 'night', '', ''],
    ['follows a change of the URL', 'night', 'night', 'day', 'day'],
  ])('%s', (_, typed, submitted, q, text) => {
    expect(fieldText(typed, { submitted, q })).toBe(text);
  });
});
