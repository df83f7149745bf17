import { createHash } from 'node:crypto';
import { SONG_SORTS, type SongFilter, type SongSort } from '@earshot/contract';

/** The usual page and the longest one. */
export const PAGE_ROWS = 50;
const LONG_PAGE_ROWS = 200;

type Sort = SongSort | `-${SongSort}`;

export type LibraryQuery = {
  name: string;
  /** As a client requests it; {song} stands for the id of an analysis. */
  path: string;
  call: 'similar' | 'next' | { filter: SongFilter; sort?: Sort; limit: number };
};

/** Every filter (one end of each range is enough), every sort, some with few and some with many matches, and some combinations. */
export function listQueries({ collectionId, song }: { collectionId: string; song: string }): LibraryQuery[] {
  const filters: SongFilter[] = [
    { q: 'night' },
    { q: 'n' },
    { q: 'm' },
    { q: 's m w' },
    { q: 'velvet hor' },
    { q: 'olafur' },
    { q: 'zzz' },
    { bpm_min: 120, bpm_max: 128 },
    { bpm_near: 124 },
    { key: ['C minor', '8A'] },
    { compatible_with: '8A' },
    { compatible_with: song },
    { energy_min: 0.3, energy_max: 0.9 },
    { danceability_min: 0.8 },
    { valence_max: 0.5 },
    { loudness_min: -14 },
    { duration_min: 100, duration_max: 200 },
    { genre: ['house'] },
    { genre: ['house', 'techno', 'disco'] },
    { genre: ['house', 'techno', 'disco'], energy_min: 0.3 },
    { mood: ['dark'] },
    { instrument: ['piano', 'drums'] },
    { tag: ['warm up'] },
    { voice: 'yes' },
    { collection: collectionId },
    { status: 'completed' },
    { status: 'failed' },
    { created_after: new Date('2020-01-01T00:00:00Z') },
    { created_before: new Date('2020-01-01T00:00:00Z') },
    { sha256: createHash('sha256').update('0').digest('hex') },
    { duplicates: 'only' },
    { duplicates: 'hide' },
    { q: 'night', genre: ['house'], bpm_near: 124, compatible_with: '8A', energy_min: 0.5, voice: 'yes' },
  ];
  const sorted: [SongFilter, Sort][] = [
    ...SONG_SORTS.flatMap((sort): [SongFilter, Sort][] => [
      [{}, sort],
      [{}, `-${sort}`],
    ]),
    [{ q: 'night' }, 'title'],
    [{ genre: ['house'] }, '-energy'],
    [{ bpm_min: 120, bpm_max: 128 }, 'key'],
    [{ compatible_with: '8A' }, 'bpm'],
    [{ tag: ['opener'] }, '-danceability'],
    [{ duplicates: 'hide' }, 'artist'],
  ];
  return [
    ...filters.map((filter) => toQuery(filter, undefined, PAGE_ROWS)),
    ...sorted.map(([filter, sort]) => toQuery(filter, sort, PAGE_ROWS)),
    toQuery({}, undefined, LONG_PAGE_ROWS),
    { name: 'similar', path: `/v1/analyses/{song}/similar?limit=${PAGE_ROWS}`, call: 'similar' },
    {
      name: 'similar by rhythm',
      path: `/v1/analyses/{song}/similar?limit=${PAGE_ROWS}&by=rhythm`,
      call: 'similar',
    },
    { name: 'next', path: `/v1/analyses/{song}/next?limit=${PAGE_ROWS}`, call: 'next' },
  ];
}

function toQuery(filter: SongFilter, sort: Sort | undefined, limit: number): LibraryQuery {
  const query = new URLSearchParams();
  for (const [member, value] of Object.entries(filter)) {
    for (const one of [value].flat())
      query.append(member, one instanceof Date ? one.toISOString() : String(one));
  }
  if (sort !== undefined) query.append('sort', sort);
  const name = decodeURIComponent(query.toString().replaceAll('+', ' '));
  query.append('limit', String(limit));
  const path = `/v1/analyses?${query}`;
  return {
    name: `${name || 'all'}${limit === PAGE_ROWS ? '' : `, a page of ${limit}`}`,
    path,
    call: { filter, ...(sort && { sort }), limit },
  };
}
