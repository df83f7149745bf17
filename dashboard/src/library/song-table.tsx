import { useVirtualizer } from '@tanstack/react-virtual';
import { ArrowDown, ArrowUp, Pause, Play } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { Link } from 'wouter';
import { usePlayerState } from '../playback/use-player.tsx';
import { songNames } from '../song-names.ts';
import { useNarrow } from '../ui/use-narrow.ts';
import type { Column, ColumnName } from './columns.tsx';
import type { Search, SortField } from './search.ts';
import type { SongRow } from './use-songs.ts';

/** As in library.css. */
const ROW_PX = 52;
/** Rows rendered beyond the visible ones, so that fast scrolling shows no gap; tried by hand. */
const OVERSCAN_ROWS = 12;
/** Loads the next page this many rows before the end: about 1,500 px, more than a screen usually shows. */
const PREFETCH_ROWS = 30;
/** On a phone a row shows only the title, tempo and key. */
const PHONE_WIDTHS: Partial<Record<ColumnName, string>> = {
  title: 'minmax(0, 1fr)',
  bpm: '52px',
  key: '46px',
};

type Props = {
  rows: readonly SongRow[];
  total: number | null;
  columns: readonly Column[];
  search: Pick<Search, 'sort' | 'descending'>;
  selected: ReadonlySet<string>;
  /** The row under the keyboard cursor; null until the cursor has been used. */
  activeIndex: number | null;
  onActive: (index: number) => void;
  onSort: (field: SortField) => void;
  onSelect: (id: string, on: boolean) => void;
  onSelectAll: (on: boolean) => void;
  onPlay: (song: SongRow) => void;
  onEnd: () => void;
};

/** Virtualised: only rows in or near the viewport exist, so a library of 100,000 songs scrolls like one of ten. */
export function SongTable(props: Props) {
  const { rows, total, columns, search, selected, activeIndex } = props;
  const scroll = useRef<HTMLElement>(null);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => ROW_PX,
    overscan: OVERSCAN_ROWS,
  });
  const items = virtual.getVirtualItems();
  const lastIndex = items.at(-1)?.index;
  const { onEnd } = props;
  // Also when the same number of rows was read again: until then, `onEnd` did nothing.
  useEffect(() => {
    if (lastIndex !== undefined && lastIndex >= rows.length - PREFETCH_ROWS) onEnd();
  }, [lastIndex, rows, onEnd]);
  useEffect(() => {
    if (activeIndex !== null) virtual.scrollToIndex(activeIndex);
  }, [activeIndex, virtual]);
  const narrow = useNarrow();
  const widths = columns.map(({ name, width }) => (narrow ? PHONE_WIDTHS[name] : width)).filter(Boolean);
  const template = { gridTemplateColumns: `${narrow ? '24px 32px' : '28px 36px'} ${widths.join(' ')}` };
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: without it the keyboard cannot scroll the table.
    <section ref={scroll} className="song-table" aria-label="Songs" tabIndex={0}>
      <table aria-rowcount={(total ?? rows.length) + 1}>
        <thead>
          <tr className="song-row song-head" aria-rowindex={1} style={template}>
            <th scope="col">
              <input
                type="checkbox"
                aria-label="Select all songs that are loaded"
                checked={rows.length > 0 && rows.every(({ id }) => selected.has(id))}
                onChange={(event) => props.onSelectAll(event.target.checked)}
              />
            </th>
            <th scope="col">
              <span className="visually-hidden">Play</span>
            </th>
            {columns.map((column) => (
              <ColumnHeader key={column.name} column={column} search={search} onSort={props.onSort} />
            ))}
          </tr>
        </thead>
        <tbody style={{ height: virtual.getTotalSize() }}>
          {items.map(({ index, start }) => {
            const song = rows[index]!;
            return (
              <Row
                key={song.id}
                {...props}
                song={song}
                index={index}
                isActive={index === activeIndex}
                isSelected={selected.has(song.id)}
                style={{ ...template, transform: `translateY(${start}px)` }}
              />
            );
          })}
        </tbody>
      </table>
    </section>
  );
}

function ColumnHeader(props: { column: Column; search: Props['search']; onSort: Props['onSort'] }) {
  const { column, search, onSort } = props;
  const { title, sort, isNumber } = column;
  const isSorted = sort !== undefined && search.sort === sort;
  const ariaSort = isSorted ? (search.descending ? 'descending' : 'ascending') : undefined;
  return (
    <th
      scope="col"
      aria-sort={ariaSort}
      className={isNumber ? 'number' : undefined}
      data-column={column.name}
    >
      {sort ? (
        <button type="button" className="quiet small" onClick={() => onSort(sort)}>
          {title}
          {isSorted && (search.descending ? <ArrowDown size={13} /> : <ArrowUp size={13} />)}
        </button>
      ) : (
        title
      )}
    </th>
  );
}

type RowProps = Props & {
  song: SongRow;
  index: number;
  isActive: boolean;
  isSelected: boolean;
  style: React.CSSProperties;
};

function Row(props: RowProps) {
  const { song, index, columns, isActive, isSelected, style, onSelect, onPlay, onActive } = props;
  const { track, playing } = usePlayerState();
  const current = track?.id === song.id;
  const { title } = songNames(song);
  const Icon = current && playing ? Pause : Play;
  return (
    <tr
      className="song-row"
      aria-rowindex={index + 2}
      data-selected={isSelected || undefined}
      data-active={isActive || undefined}
      data-playing={current || undefined}
      style={style}
      onPointerDown={() => onActive(index)}
    >
      <td>
        <input
          type="checkbox"
          checked={isSelected}
          aria-label={`Select ${title}`}
          onChange={(event) => onSelect(song.id, event.target.checked)}
        />
      </td>
      <td>
        <button
          type="button"
          className="icon quiet"
          aria-label={current && playing ? `Pause ${title}` : `Play ${title}`}
          disabled={song.status !== 'completed'}
          onClick={() => onPlay(song)}
        >
          <Icon size={16} />
        </button>
      </td>
      {columns.map(({ name, isNumber, cell }) => (
        <td key={name} className={isNumber ? 'number' : undefined} data-column={name}>
          {name === 'title' ? (
            <Link href={`/analyses/${song.id}`} className="song-link">
              {cell(song)}
            </Link>
          ) : (
            cell(song)
          )}
        </td>
      ))}
    </tr>
  );
}
