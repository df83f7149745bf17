import type { RequestInput } from '@earshot/sdk';

export type LibraryQuery = NonNullable<RequestInput<'listAnalyses'>['query']>;

/** The gap between two keystrokes at sixty words a minute: the service is queried when typing pauses. */
export const DEBOUNCE_MS = 200;

/** Search, filters and order of the library. Kept in the page's URL, so that a reload or bookmark restores them. */
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

/** Without the variants that begin with a minus, which sort in descending order. */
export type SortField = Exclude<NonNullable<LibraryQuery['sort']>, `-${string}`>;

/** A record, so that a missing or unknown field is a compile error. */
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
  const params = new URLSearchParams(text);
  const number = (name: string) => {
    const value = Number(params.get(name));
    return params.get(name) && Number.isFinite(value) ? value : null;
  };
  const sort = params.get('sort') ?? '-created_at';
  const name = sort.replace(/^-/, '');
  const field = isSortField(name) ? name : null;
  const voice = params.get('voice');
  return {
    q: params.get('q') ?? '',
    bpmMin: number('bpm_min'),
    bpmMax: number('bpm_max'),
    keys: params.getAll('key').filter((key) => /^(1[0-2]|[1-9])[AB]$/.test(key)),
    genre: params.get('genre'),
    tag: params.get('tag'),
    voice: voice === 'yes' || voice === 'no' ? voice : null,
    energyMin: number('energy_min'),
    sort: field ?? 'created_at',
    descending: field ? sort.startsWith('-') : true,
  };
}

function isSortField(name: string): name is SortField {
  return Object.hasOwn(SORT_FIELDS, name);
}

/** The parameters of the service, which the page's URL uses as well. */
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
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(toQuery(search))) {
    for (const one of Array.isArray(value) ? value : [value]) params.append(name, String(one));
  }
  return params.toString();
}

export function isFiltered(search: Search): boolean {
  return writeSearch({ ...search, sort: 'created_at', descending: true }) !== '';
}

/** The text of the search field: what was typed, unless the search has since been changed elsewhere. */
export function fieldText(typed: string, { submitted, q }: { submitted: string; q: string }): string {
  // The URL holds the text trimmed.
  return q === submitted.trim() ? typed : q;
}
