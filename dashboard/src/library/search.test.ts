import { describe, expect, it } from 'vitest';
import { fieldText, isFiltered, readSearch, toQuery, WHOLE_LIBRARY, writeSearch } from './search.ts';

describe('a search in the address', () => {
  it('is read back as it was written', () => {
    const search = {
      ...WHOLE_LIBRARY,
      q: 'älter & neu',
      bpmMin: 120,
      bpmMax: 128.5,
      keys: ['8A', '12B'],
      genre: 'techno',
      voice: 'no' as const,
      sort: 'bpm' as const,
      descending: false,
    };
    expect(readSearch(writeSearch(search))).toEqual(search);
  });

  it('is empty for the whole library, newest first', () => {
    expect([writeSearch(WHOLE_LIBRARY), toQuery(WHOLE_LIBRARY), isFiltered(WHOLE_LIBRARY)]).toEqual([
      '',
      {},
      false,
    ]);
  });

  it('takes nonsense for nothing', () => {
    expect(readSearch('bpm_min=fast&key=13C&voice=maybe&sort=colour')).toEqual(WHOLE_LIBRARY);
    expect(readSearch('sort=toString')).toEqual(WHOLE_LIBRARY);
  });
});

describe('the text of the search field', () => {
  it.each([
    ['stays while one types on', 'night b', 'night', 'night', 'night b'],
    ['keeps a space that the address does not', 'night ', 'night ', 'night', 'night '],
    ['goes when the search is cleared', 'night', 'night', '', ''],
    ['is that of the address one goes back to', 'night', 'night', 'day', 'day'],
  ])('%s', (_, typed, asked, q, text) => {
    expect(fieldText(typed, { asked, q })).toBe(text);
  });
});
