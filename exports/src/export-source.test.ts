import { expect, it } from 'vitest';
import {
  type ExportSource,
  sectionName,
  songAlbum,
  songArtist,
  songGenre,
  songTitle,
  writtenTitle,
} from './export-source.ts';
import { SONG } from './test-song.ts';

type Names = { library?: string | null; tag?: string | null; fileName?: string | null };
function songWith({ library = null, tag = null, fileName = null }: Names): ExportSource {
  const { file } = SONG.document;
  const tags = { ...file.tags, title: tag, artist: tag, album: tag };
  return {
    ...SONG,
    fileName,
    names: { title: library, artist: library, album: library },
    document: { ...SONG.document, file: { ...file, tags } },
  };
}

it('takes names from the library, then from the tags, then the title from the file name, then from the id', () => {
  const all = songWith({ library: 'L', tag: 'T', fileName: 'F' });
  expect([songTitle(all), songArtist(all), songAlbum(all)]).toEqual(['L', 'L', 'L']);
  const tagged = songWith({ tag: 'T', fileName: 'F' });
  expect([songTitle(tagged), songArtist(tagged), songAlbum(tagged)]).toEqual(['T', 'T', 'T']);
  const named = songWith({ fileName: 'F' });
  expect([songTitle(named), songArtist(named), songAlbum(named)]).toEqual(['F', null, null]);
  const bare = songWith({});
  expect([songTitle(bare), writtenTitle(bare)]).toEqual([SONG.analysisId, null]);
});

it('takes the genre from the tags, then the most likely one that was heard', () => {
  const withGenres = (genre: string | null, genre_suggestions: string[]) => {
    const file = { ...SONG.document.file, tags: { ...SONG.document.file.tags, genre } };
    return songGenre({ ...SONG, document: { ...SONG.document, file, genre_suggestions } });
  };
  expect(withGenres('Soul', ['jazz', 'rock'])).toBe('Soul');
  expect(withGenres(null, ['jazz', 'rock'])).toBe('jazz');
  expect(withGenres(null, [])).toBeNull();
});

it('names a section by its label and group', () => {
  expect(SONG.document.structure!.sections.map(sectionName)).toEqual(['verse (A)', 'pre-chorus (B)']);
});
