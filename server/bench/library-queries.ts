import { createHash } from 'node:crypto';
import { SONG_SORTS, type SongFilter, type SongSort } from '@earshot/contract';

export type LibraryQuery = {
  name: string;
  /** The request of a client; {song} stands for the id of an analysis. */
  path: string;
  ask: 'similar' | 'next' | { filter: SongFilter; sort?: SongSort | `-${SongSort}`; limit: number };
};

/** Every parameter once, some with both few and many matches, and some combinations. */
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
  const sorted: [SongFilter, SongSort | `-${SongSort}`][] = [
    ...SONG_SORTS.flatMap((sort): [SongFilter, SongSort | `-${SongSort}`][] => [
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
    ...filters.map((filter) => toQuery(filter, undefined, 50)),
    ...sorted.map(([filter, sort]) => toQuery(filter, sort, 50)),
    toQuery({}, undefined, 200),
    { name: 'similar', path: '/v1/analyses/{song}/similar?limit=50', ask: 'similar' },
    { name: 'similar by rhythm', path: '/v1/analyses/{song}/similar?limit=50&by=rhythm', ask: 'similar' },
    { name: 'next', path: '/v1/analyses/{song}/next?limit=50', ask: 'next' },
  ];
}

function toQuery(
  filter: SongFilter,
  sort: SongSort | `-${SongSort}` | undefined,
  limit: number,
): LibraryQuery {
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
    name: `${name || 'all'}${limit === 50 ? '' : `, a page of ${limit}`}`,
    path,
    ask: { filter, ...(sort && { sort }), limit },
  };
}
