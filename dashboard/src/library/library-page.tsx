import { Search as SearchIcon, SlidersHorizontal, Upload } from 'lucide-react';
import { type FormEvent, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { Link, useLocation, useSearch } from 'wouter';
import { usePlayer } from '../playback/use-player.tsx';
import { useShortcuts } from '../song/use-shortcuts.ts';
import { Failed } from '../ui/failed.tsx';
import { FilePicker } from '../ui/file-picker.tsx';
import { Loading } from '../ui/loading.tsx';
import { Menu, MenuCheck } from '../ui/menu.tsx';
import { useTell } from '../ui/toasts.tsx';
import { useUploads } from '../uploads/upload-tray.tsx';
import { BulkBar } from './bulk-bar.tsx';
import { COLUMNS, type ColumnName } from './columns.tsx';
import { Filters } from './filters.tsx';
import { playSong } from './play-song.ts';
import { isFiltered, queryOf, readSearch, type Search, type SortField, writeSearch } from './search.ts';
import { SetAsideNotice } from './set-aside-notice.tsx';
import { SongTable } from './song-table.tsx';
import { type SongRow, useSongs } from './use-songs.ts';

const FIRST_COLUMNS: ColumnName[] = ['wave', 'title', 'bpm', 'key', 'energy', 'genre', 'length', 'added'];
/** So long after the last key the server is asked. */
const TYPING_MS = 200;

/** All songs of the workspace in one table: searched, sorted and filtered by the server. */
export function LibraryPage() {
  const [search, setSearch] = useSearchInAddress();
  const songs = useSongs(useMemo(() => queryOf(search), [search]));
  const uploads = useUploads();
  const player = usePlayer();
  const [, go] = useLocation();
  const [filtersOpen, setFiltersOpen] = useState(() => isFiltered(search) && window.innerWidth > 1100);
  const [columns, setColumns] = useColumns();
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [active, setActive] = useState(-1);
  const field = useRef<HTMLInputElement>(null);
  const { reload, rows } = songs;
  useEffect(() => uploads.onFinished(reload), [uploads, reload]);

  const select = (id: string, on: boolean) =>
    setSelected((now) => new Set(on ? [...now, id] : [...now].filter((other) => other !== id)));
  const play = useCallback((song: SongRow) => playSong(player, song), [player]);
  const sortBy = (sort: SortField) =>
    setSearch({ ...search, sort, descending: search.sort === sort ? !search.descending : false });
  const move = (by: number) => setActive((now) => Math.min(rows.length - 1, Math.max(0, now + by)));
  const onActive = (work: (song: SongRow) => void) => () => rows[active] && work(rows[active]);
  useShortcuts({
    '/': () => field.current?.focus(),
    j: () => move(1),
    k: () => move(-1),
    ArrowDown: () => move(1),
    ArrowUp: () => move(-1),
    x: onActive(({ id }) => select(id, !selected.has(id))),
    ' ': () => {
      const song = rows[active];
      if (song && player.read().track?.id !== song.id) play(song);
      else if (player.read().track) player.toggle();
    },
    Enter: onActive(({ id }) => go(`/analyses/${id}`)),
    Escape: () => setSelected(new Set()),
  });

  const empty = songs.state === 'ready' && rows.length === 0;
  return (
    <div className="library">
      <h1 className="visually-hidden">Library</h1>
      <SetAsideNotice />
      <div className="library-bar">
        <SearchField search={search} onSearch={setSearch} field={field} />
        <button
          type="button"
          aria-label="Filters"
          aria-pressed={filtersOpen}
          onClick={() => setFiltersOpen(!filtersOpen)}
        >
          <SlidersHorizontal size={15} /> <span className="beyond-phone">Filters</span>
        </button>
        <ColumnMenu columns={columns} onChange={setColumns} />
        <AddSongs />
      </div>
      <p className="library-count soft small" role="status">
        {songs.problem && rows.length === 0
          ? ''
          : (songs.problem?.message ?? countWords(songs.total ?? rows.length, isFiltered(search)))}
        {songs.problem && rows.length > 0 && (
          <button type="button" className="quiet small" onClick={reload}>
            Try again
          </button>
        )}
      </p>
      <div className="library-body">
        {filtersOpen && <Filters search={search} onChange={setSearch} />}
        {songs.problem && rows.length === 0 ? (
          <Failed error={songs.problem} reload={reload} />
        ) : songs.state === 'loading' && rows.length === 0 ? (
          <Loading />
        ) : empty ? (
          <EmptyLibrary filtered={isFiltered(search)} onClear={() => setSearch(readSearch(''))} />
        ) : (
          <SongTable
            rows={rows}
            total={songs.total}
            columns={COLUMNS.filter(({ name }) => columns.has(name))}
            search={search}
            selected={selected}
            active={active}
            onActive={setActive}
            onSort={sortBy}
            onSelect={select}
            onSelectAll={(on) => setSelected(new Set(on ? rows.map(({ id }) => id) : []))}
            onPlay={play}
            onEnd={songs.more}
          />
        )}
      </div>
      {selected.size > 0 && (
        <BulkBar
          ids={[...selected]}
          onDone={() => {
            setSelected(new Set());
            reload();
          }}
          onClear={() => setSelected(new Set())}
        />
      )}
    </div>
  );
}

/** The service counts what a filter finds up to here. */
const COUNTED_MAX = 10_000;

function countWords(count: number, filtered: boolean): string {
  const more = filtered && count >= COUNTED_MAX ? ' or more' : '';
  const songs = count === 1 ? '1 song' : `${count.toLocaleString()}${more} songs`;
  return filtered ? `${songs} found` : songs;
}

function useSearchInAddress(): [Search, (search: Search) => void] {
  const text = useSearch();
  const [, go] = useLocation();
  const search = useMemo(() => readSearch(text), [text]);
  const change = useCallback(
    (next: Search) => {
      const words = writeSearch(next);
      go(words ? `/?${words}` : '/', { replace: true });
    },
    [go],
  );
  return [search, change];
}

const COLUMNS_KEY = 'earshot.columns';

function useColumns(): [ReadonlySet<ColumnName>, (columns: ReadonlySet<ColumnName>) => void] {
  const [columns, setColumns] = useState<ReadonlySet<ColumnName>>(() => {
    const kept = localStorage.getItem(COLUMNS_KEY)?.split(',') ?? FIRST_COLUMNS;
    return new Set(COLUMNS.map(({ name }) => name).filter((name) => name === 'title' || kept.includes(name)));
  });
  const change = (next: ReadonlySet<ColumnName>) => {
    localStorage.setItem(COLUMNS_KEY, [...next].join(','));
    setColumns(next);
  };
  return [columns, change];
}

function SearchField(props: {
  search: Search;
  onSearch: (search: Search) => void;
  field: React.RefObject<HTMLInputElement | null>;
}) {
  const { search, onSearch, field } = props;
  const [typed, setTyped] = useState(search.q);
  const latest = useRef(props);
  latest.current = props;
  useEffect(() => {
    const timer = setTimeout(() => {
      const { search: now } = latest.current;
      if (typed !== now.q) latest.current.onSearch({ ...now, q: typed });
    }, TYPING_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  return (
    <div className="search-field">
      <SearchIcon size={16} aria-hidden="true" />
      <input
        ref={field}
        type="search"
        aria-label="Search the library"
        aria-keyshortcuts="/"
        placeholder="Title, artist, tag, note…"
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return;
          setTyped('');
          onSearch({ ...search, q: '' });
          event.currentTarget.blur();
        }}
      />
      <kbd>/</kbd>
    </div>
  );
}

function ColumnMenu(props: {
  columns: ReadonlySet<ColumnName>;
  onChange: (columns: ReadonlySet<ColumnName>) => void;
}) {
  const { columns, onChange } = props;
  return (
    <Menu
      label="Columns"
      trigger={
        <button type="button" className="beyond-phone">
          Columns
        </button>
      }
    >
      {COLUMNS.filter(({ name }) => name !== 'title').map(({ name, title }) => (
        <MenuCheck
          key={name}
          checked={columns.has(name)}
          onChange={(on) =>
            onChange(new Set(on ? [...columns, name] : [...columns].filter((one) => one !== name)))
          }
        >
          {title}
        </MenuCheck>
      ))}
    </Menu>
  );
}

function AddSongs() {
  const uploads = useUploads();
  const [urlOpen, setUrlOpen] = useState(false);
  const addUrl = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    uploads.addUrl(String(new FormData(event.currentTarget).get('url')));
    setUrlOpen(false);
  };
  return (
    <div className="row">
      {urlOpen ? (
        <form className="row" onSubmit={addUrl}>
          <input name="url" type="url" required aria-label="Address of a song" placeholder="https://…" />
          <button type="submit" className="main">
            Analyse
          </button>
        </form>
      ) : (
        <button type="button" className="beyond-phone" onClick={() => setUrlOpen(true)}>
          From a URL
        </button>
      )}
      <FilePicker onFiles={(files) => uploads.addFiles(files)} multiple>
        <Upload size={15} /> Add songs
      </FilePicker>
    </div>
  );
}

function EmptyLibrary({ filtered, onClear }: { filtered: boolean; onClear: () => void }) {
  const uploads = useUploads();
  const tell = useTell();
  if (filtered) {
    return (
      <div className="page-state">
        <p>No song fits this search.</p>
        <button type="button" onClick={onClear}>
          Show all songs
        </button>
      </div>
    );
  }
  return (
    <div className="page-state empty-library">
      <h2>Your library is empty</h2>
      <p>
        Drop songs or a folder anywhere on this page. You get tempo, beats, key, chords, sections and loudness
        of each. The audio is kept so that you can play it here, unless{' '}
        <Link href="/profile">your workspace</Link> says otherwise. Delete a song and its audio is gone too.
      </p>
      <div className="row">
        <FilePicker onFiles={(files) => uploads.addFiles(files)} multiple>
          Choose files
        </FilePicker>
        <button
          type="button"
          onClick={() =>
            void fetchSamples().then(
              (files) => uploads.addFiles(files),
              (error: Error) => tell(error.message),
            )
          }
        >
          Try three sample songs
        </button>
      </div>
    </div>
  );
}

const SAMPLES = ['two-doors-down.mp3', 'night-bus.mp3', 'three-lamps.mp3'];

function fetchSamples(): Promise<File[]> {
  return Promise.all(
    SAMPLES.map(async (name) => {
      const response = await fetch(`/sample/${name}`);
      if (!response.ok) throw new Error('The sample songs are not there.');
      return new File([await response.blob()], name, { type: 'audio/mpeg' });
    }),
  );
}
