import type { ReactNode } from 'react';
import { formatAge, formatClock, formatNumber } from '../format.ts';
import { songNames } from '../song-names.ts';
import { KeyChip } from '../ui/key-chip.tsx';
import { ShareBar } from '../ui/share-bar.tsx';
import { Status } from '../ui/status.tsx';
import { MiniWaveform } from './mini-waveform.tsx';
import type { SortField } from './search.ts';
import type { SongRow } from './use-songs.ts';

export type ColumnName =
  | 'wave'
  | 'title'
  | 'bpm'
  | 'key'
  | 'energy'
  | 'danceability'
  | 'genre'
  | 'mood'
  | 'loudness'
  | 'length'
  | 'added';

export type Column = {
  name: ColumnName;
  title: string;
  /** A CSS grid track, such as minmax(80px, 1fr). */
  width: string;
  isNumber?: boolean;
  sort?: SortField;
  cell: (song: SongRow) => ReactNode;
};

const dash = <span className="soft">–</span>;

export const COLUMNS: readonly Column[] = [
  {
    name: 'wave',
    title: 'Waveform',
    width: 'minmax(48px, 124px)',
    cell: ({ headline }) => (
      <MiniWaveform peaks={headline?.waveform ?? null} camelot={headline?.camelot ?? null} />
    ),
  },
  {
    name: 'title',
    title: 'Title',
    width: 'minmax(132px, 3fr)',
    sort: 'title',
    cell: (song) => <TitleCell song={song} />,
  },
  {
    name: 'bpm',
    title: 'BPM',
    width: '76px',
    isNumber: true,
    sort: 'bpm',
    cell: ({ headline }) => headline?.bpm?.toFixed(1) ?? dash,
  },
  {
    name: 'key',
    title: 'Key',
    width: '100px',
    sort: 'key',
    cell: ({ headline }) => (
      <KeyChip notation={headline?.key_notation ?? null} camelot={headline?.camelot ?? null} />
    ),
  },
  {
    name: 'energy',
    title: 'Energy',
    width: '92px',
    sort: 'energy',
    cell: ({ headline }) => <ShareBar share={headline?.energy ?? null} />,
  },
  {
    name: 'danceability',
    title: 'Dance',
    width: '92px',
    sort: 'danceability',
    cell: ({ headline }) => <ShareBar share={headline?.danceability ?? null} />,
  },
  {
    name: 'genre',
    title: 'Genre',
    width: 'minmax(80px, 1fr)',
    cell: ({ headline }) => headline?.genre ?? dash,
  },
  { name: 'mood', title: 'Mood', width: 'minmax(80px, 1fr)', cell: ({ headline }) => headline?.mood ?? dash },
  {
    name: 'loudness',
    title: 'LUFS',
    width: '72px',
    isNumber: true,
    sort: 'loudness_lufs',
    cell: ({ headline }) =>
      headline?.loudness_lufs == null ? dash : formatNumber(headline.loudness_lufs, 1),
  },
  {
    name: 'length',
    title: 'Length',
    width: '72px',
    isNumber: true,
    sort: 'duration_seconds',
    cell: ({ headline }) => (headline ? formatClock(headline.duration_seconds) : dash),
  },
  {
    name: 'added',
    title: 'Added',
    width: '104px',
    isNumber: true,
    sort: 'created_at',
    cell: ({ created_at }) => <time dateTime={created_at}>{formatAge(created_at)}</time>,
  },
];

/** As many as usually fit under the title. */
const SHOWN_TAGS_MAX = 3;

function TitleCell({ song }: { song: SongRow }) {
  const { title, artist } = songNames(song);
  const tags = song.headline?.tags ?? [];
  return (
    <span className="song-names">
      <span className="song-title-line" dir="auto">
        {title}
      </span>
      <span className="soft small">
        {song.status === 'completed' ? <bdi>{artist}</bdi> : <Status value={song.status} />}
        {song.headline?.corrected && ' · corrected'}
        {tags.length > 0 && ` · ${tags.slice(0, SHOWN_TAGS_MAX).join(', ')}`}
      </span>
    </span>
  );
}
