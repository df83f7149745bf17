import { SlidersHorizontal } from 'lucide-react';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useLocation, useSearch } from 'wouter';
import { readStored, store } from '../browser-storage.ts';
import { formatSongCount } from '../format.ts';
import { usePlayer } from '../playback/use-player.tsx';
import { COUNTED_SONGS_MAX } from '../service-limits.ts';
import { RequireRole } from '../session.tsx';
import { Failed } from '../ui/failed.tsx';
import { Loading } from '../ui/loading.tsx';
import { Menu, MenuCheck } from '../ui/menu.tsx';
import { useShortcuts } from '../ui/use-shortcuts.ts';
import { useUploads } from '../uploads/upload-tray.tsx';
import { AddSongs } from './add-songs.tsx';
import { BulkBar } from './bulk-bar.tsx';
import { COLUMNS, type ColumnName } from './columns.tsx';
import { EmptyLibrary } from './empty-library.tsx';
import { Filters } from './filters.tsx';
import { countHidden } from './hidden-songs.ts';
import { playSong } from './play-song.ts';
import { isFiltered, readSearch, type Search, type SortField, toQuery, writeSearch } from './search.ts';
import { SearchField } from './search-field.tsx';
import { SetAsideNotice } from './set-aside-notice.tsx';
import { SongTable } from './song-table.tsx';
import { type SongRow, type Songs, useSongs } from './use-songs.ts';

/** From this width, the filters fit next to the table with its default columns. */
const WINDOW_WITH_FILTERS_PX_MIN = 1_100;
const DEFAULT_COLUMNS: ColumnName[] = ['wave', 'title', 'bpm', 'key', 'energy', 'genre', 'length', 'added'];

/** All songs of the workspace in one table: searched, sorted and filtered by the server. */
export function LibraryPage() {
  const [search, setSearch] = useSearchInUrl();
  const songs = useSongs(useMemo(() => toQuery(search), [search]));
  const uploads = useUploads();
  const player = usePlayer();
  const [, go] = useLocation();
  const [filtersOpen, setFiltersOpen] = useState(
    () => isFiltered(search) && window.innerWidth >= WINDOW_WITH_FILTERS_PX_MIN,
  );
  const [columns, setColumns] = useColumns();
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [activeIndex, setActive] = useState<number | null>(null);
  const field = useRef<HTMLInputElement>(null);
  const { reload, rows } = songs;
  useEffect(() => uploads.onFinished(reload), [uploads, reload]);
  useReloadWhileUnfinished(songs);

  const select = (id: string, on: boolean) =>
    setSelected((now) => new Set(on ? [...now, id] : [...now].filter((other) => other !== id)));
  const play = useCallback((song: SongRow) => playSong(player, song), [player]);
  const sortBy = (sort: SortField) =>
    setSearch({ ...search, sort, descending: search.sort === sort ? !search.descending : false });
  const move = (by: 1 | -1) =>
    setActive((now) => Math.max(0, Math.min(rows.length - 1, now === null ? 0 : now + by)));
  const active = activeIndex === null ? undefined : rows[activeIndex];
  const withActive = (act: (song: SongRow) => void) => () => active && act(active);
  useShortcuts({
    '/': () => field.current?.focus(),
    j: () => move(1),
    k: () => move(-1),
    ArrowDown: () => move(1),
    ArrowUp: () => move(-1),
    x: withActive(({ id }) => select(id, !selected.has(id))),
    ' ': () => {
      if (active && player.read().track?.id !== active.id) play(active);
      else if (player.read().track) player.toggle();
    },
    Enter: withActive(({ id }) => go(`/analyses/${id}`)),
    Escape: () => setSelected(new Set()),
  });

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
        <RequireRole atLeast="member">
          <AddSongs />
        </RequireRole>
      </div>
      <SongCount songs={songs} filtered={isFiltered(search)} />
      <div className="library-body">
        {filtersOpen && <Filters search={search} onChange={setSearch} />}
        {songs.problem && rows.length === 0 ? (
          <Failed error={songs.problem} reload={reload} />
        ) : !songs.current && rows.length === 0 ? (
          <Loading reload={reload} />
        ) : rows.length === 0 ? (
          <EmptyLibrary filtered={isFiltered(search)} onClear={() => setSearch(readSearch(''))} />
        ) : (
          <SongTable
            rows={rows}
            total={songs.total}
            columns={COLUMNS.filter(({ name }) => columns.has(name))}
            search={search}
            selected={selected}
            activeIndex={activeIndex}
            onActive={setActive}
            onSort={sortBy}
            onSelect={select}
            onSelectAll={(on) => setSelected(new Set(on ? rows.map(({ id }) => id) : []))}
            onPlay={play}
            onEnd={songs.loadMore}
          />
        )}
      </div>
      {selected.size > 0 && (
        <BulkBar
          ids={[...selected]}
          hiddenCount={countHidden(selected, rows)}
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

/** Songs that finish elsewhere appear soon enough, at the cost of one request per interval. */
const UNFINISHED_RELOAD_MS = 10_000;

/** The upload queue only knows this tab's songs; others come from other tabs, members and programs, or from before a reload. */
function useReloadWhileUnfinished({ rows, problem, reload }: Songs): void {
  // Restarted by every response and failure, so that a slow request is not aborted by the next.
  useEffect(() => {
    if (!rows.some(({ status }) => status === 'queued' || status === 'processing')) return;
    const timer = setTimeout(reload, UNFINISHED_RELOAD_MS);
    return () => clearTimeout(timer);
  }, [rows, problem, reload]);
}

/** The number of songs, or why more could not be loaded; when none could, the page body shows the error instead. */
function SongCount({ songs, filtered }: { songs: Songs; filtered: boolean }) {
  const { rows, total, current, problem, reload } = songs;
  const text = current ? countText(total ?? rows.length, filtered) : rows.length > 0 && 'Searching…';
  return (
    <p className="library-count soft small" role="status">
      {problem === null && text}
      {problem && rows.length > 0 && (
        <>
          {problem.message}
          <button type="button" className="quiet small" onClick={reload}>
            Try again
          </button>
        </>
      )}
    </p>
  );
}

function countText(count: number, filtered: boolean): string {
  if (!filtered) return formatSongCount(count);
  return `${count >= COUNTED_SONGS_MAX ? `${count.toLocaleString()} or more songs` : formatSongCount(count)} found`;
}

function useSearchInUrl(): [Search, (search: Search) => void] {
  const text = useSearch();
  const [, go] = useLocation();
  const search = useMemo(() => readSearch(text), [text]);
  const change = useCallback(
    (next: Search) => {
      const query = writeSearch(next);
      go(query ? `/?${query}` : '/', { replace: true });
    },
    [go],
  );
  return [search, change];
}

const COLUMNS_STORAGE_KEY = 'earshot.columns';

function useColumns(): [ReadonlySet<ColumnName>, (columns: ReadonlySet<ColumnName>) => void] {
  const [columns, setColumns] = useState<ReadonlySet<ColumnName>>(() => {
    const stored = readStored('localStorage', COLUMNS_STORAGE_KEY)?.split(',') ?? DEFAULT_COLUMNS;
    return new Set(
      COLUMNS.map(({ name }) => name).filter((name) => name === 'title' || stored.includes(name)),
    );
  });
  const change = (next: ReadonlySet<ColumnName>) => {
    store('localStorage', COLUMNS_STORAGE_KEY, [...next].join(','));
    setColumns(next);
  };
  return [columns, change];
}

function ColumnMenu(props: {
  columns: ReadonlySet<ColumnName>;
  onChange: (columns: ReadonlySet<ColumnName>) => void;
}) {
  const { columns, onChange } = props;
  return (
    <Menu trigger="Columns" className="beyond-phone">
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
