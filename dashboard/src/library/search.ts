import type { RequestInput } from '@earshot/sdk';

export type LibraryQuery = NonNullable<RequestInput<'listAnalyses'>['query']>;

/** What one is looking for. It lives in the address, so that a reload or a bookmark finds it again. */
export type Search = {
  q: string;
  bpmMin: number | null;
  bpmMax: number | null;
  keys: string[];
  genre: string | null;
  tag: string | null;
  voice: 'yes' | 'no' | null;
  energyMin: number | null;
  sort: SortField;
  descending: boolean;
};

/** What the service sorts by, the other way round with a minus before it. */
type Sort = NonNullable<LibraryQuery['sort']>;
export type SortField = Exclude<Sort, `-${string}`>;

/** Exactly the contract's: one that is missing or not of it does not compile. */
const SORT_FIELDS: Record<SortField, true> = {
  created_at: true,
  title: true,
  artist: true,
  bpm: true,
  key: true,
  energy: true,
  danceability: true,
  loudness_lufs: true,
  duration_seconds: true,
};

export const WHOLE_LIBRARY: Search = {
  q: '',
  bpmMin: null,
  bpmMax: null,
  keys: [],
  genre: null,
  tag: null,
  voice: null,
  energyMin: null,
  sort: 'created_at',
  descending: true,
};

export function readSearch(text: string): Search {
  const given = new URLSearchParams(text);
  const number = (name: string) => {
    const value = Number(given.get(name));
    return given.get(name) && Number.isFinite(value) ? value : null;
  };
  const sort = given.get('sort') ?? '-created_at';
  const named = sort.replace(/^-/, '');
  const field = isSortField(named) ? named : null;
  const voice = given.get('voice');
  return {
    q: given.get('q') ?? '',
    bpmMin: number('bpm_min'),
    bpmMax: number('bpm_max'),
    keys: given.getAll('key').filter((key) => /^(1[0-2]|[1-9])[AB]$/.test(key)),
    genre: given.get('genre'),
    tag: given.get('tag'),
    voice: voice === 'yes' || voice === 'no' ? voice : null,
    energyMin: number('energy_min'),
    sort: field ?? 'created_at',
    descending: field ? sort.startsWith('-') : true,
  };
}

function isSortField(name: string): name is SortField {
  return Object.hasOwn(SORT_FIELDS, name);
}

/** The same words for the address and for the service. */
export function toQuery(search: Search): LibraryQuery {
  const { q, bpmMin, bpmMax, keys, genre, tag, voice, energyMin, sort, descending } = search;
  return {
    ...(q.trim() && { q: q.trim() }),
    ...(bpmMin !== null && { bpm_min: bpmMin }),
    ...(bpmMax !== null && { bpm_max: bpmMax }),
    ...(keys.length > 0 && { key: keys }),
    ...(genre && { genre: [genre] }),
    ...(tag && { tag: [tag] }),
    ...(voice && { voice }),
    ...(energyMin !== null && { energy_min: energyMin }),
    ...(!(sort === 'created_at' && descending) && { sort: descending ? (`-${sort}` as const) : sort }),
  };
}

export function writeSearch(search: Search): string {
  const words = new URLSearchParams();
  for (const [name, value] of Object.entries(toQuery(search))) {
    for (const one of Array.isArray(value) ? value : [value]) words.append(name, String(one));
  }
  return words.toString();
}

export function isFiltered(search: Search): boolean {
  return writeSearch({ ...search, sort: 'created_at', descending: true }) !== '';
}

/** What stands in the search field: what is typed, unless the search is no longer what the field asked for. */
export function fieldText(typed: string, { asked, q }: { asked: string; q: string }): string {
  // The address keeps no spaces at the ends.
  return q === asked.trim() ? typed : q;
}
