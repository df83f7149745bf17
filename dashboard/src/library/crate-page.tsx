import type { RequestOutput } from '@earshot/sdk';
import { ArrowDown, ArrowUp, type LucideIcon, Pause, Play, X } from 'lucide-react';
import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import { earshot } from '../api.ts';
import { formatClock, formatSongCount } from '../format.ts';
import { usePlayer, usePlayerState } from '../playback/use-player.tsx';
import { PAGE_SONGS_MAX } from '../service-limits.ts';
import { RequireRole } from '../session.tsx';
import { useConfirmed } from '../ui/confirm.tsx';
import { ExportMenu } from '../ui/export-menu.tsx';
import { KeyChip } from '../ui/key-chip.tsx';
import { LoadedView } from '../ui/loaded-view.tsx';
import { Menu, MenuItem } from '../ui/menu.tsx';
import { PageHead } from '../ui/page-head.tsx';
import { ShareBar } from '../ui/share-bar.tsx';
import { useToast } from '../ui/toasts.tsx';
import { useLoad } from '../use-load.ts';
import { useTitle } from '../use-title.ts';
import { changeCrate } from './change-crate.ts';
import { CRATE_FORMATS } from './crate-formats.ts';
import { CrateNameDialog } from './crate-name-dialog.tsx';
import { MiniWaveform } from './mini-waveform.tsx';
import { playSong } from './play-song.ts';
import { notifyCratesChanged } from './use-crates.ts';

type Song = RequestOutput<'listAnalyses'>[number];
type Crate = RequestOutput<'getCollection'>;
type Item = Crate['items'][number];
type Order = RequestOutput<'proposeCollectionOrder'>['by'];

const ORDERS: [Order, string][] = [
  ['harmonic', 'Harmonic'],
  ['energy', 'By energy'],
  ['bpm', 'By tempo'],
];

export function CratePage({ params }: { params: { crateId: string } }) {
  const { crateId } = params;
  const [loaded, reload] = useLoad(
    () => earshot.request('getCollection', { params: { collection_id: crateId } }),
    crateId,
  );
  // Loaded separately: the list appears at once, waveforms and play buttons follow.
  const [songs] = useLoad(() => loadSongs(crateId), `songs of ${crateId}`);
  return (
    <LoadedView loaded={loaded} reload={reload}>
      {(crate) => (
        // The previous crate stays on screen while the next one loads; then the key resets the state.
        <CrateView
          key={crate.id}
          crate={crate}
          songs={songs.state === 'ready' ? songs.value : null}
          reload={reload}
        />
      )}
    </LoadedView>
  );
}

async function loadSongs(crateId: string): Promise<Map<string, Song>> {
  const songs = new Map<string, Song>();
  for await (const song of earshot.analyses.list({ collection: crateId, pageSize: PAGE_SONGS_MAX })) {
    songs.set(song.id, song);
  }
  return songs;
}

type Reasons = ReadonlyMap<string, string>;

type CrateViewProps = {
  crate: Crate;
  /** Null until they are loaded. */
  songs: ReadonlyMap<string, Song> | null;
  reload: () => void;
};

function CrateView({ crate, songs, reload }: CrateViewProps) {
  useTitle(crate.name);
  const { reasons, order, rename, deleteCrate, move, removeSong } = useCrateActions(crate, reload);
  return (
    <>
      <CrateHead crate={crate} onOrder={order} onRename={rename} onDelete={deleteCrate} />
      {crate.items.length === 0 ? (
        <p className="page-state">
          This crate is empty. Select songs in the library and choose “Add to a crate”.
        </p>
      ) : (
        <ol className="plain crate">
          {crate.items.map((item, index) => (
            <CrateItem
              key={item.job_id}
              item={item}
              index={index}
              isLast={index === crate.items.length - 1}
              song={songs?.get(item.job_id) ?? null}
              reason={reasons.get(item.job_id) ?? null}
              onMove={(by) => move(index, by)}
              onRemove={() => removeSong(item.job_id)}
            />
          ))}
        </ol>
      )}
    </>
  );
}

function useCrateActions(crate: Crate, reload: () => void) {
  /** By song, why the applied order puts it where it is; empty after a manual change. */
  const [reasons, setReasons] = useState<Reasons>(new Map());
  const showToast = useToast();
  const confirmed = useConfirmed();
  const [, go] = useLocation();
  const ids = crate.items.map(({ job_id }) => job_id);
  const save = (items: string[], version: number) =>
    earshot.collections.replaceItems(crate.id, items, version);
  const change = async (next: string[], message: string, newReasons: Reasons = new Map()) => {
    const { version } = crate;
    if (await changeCrate({ before: ids, version, next, message }, { save, showToast, reload }))
      setReasons(newReasons);
  };
  return {
    reasons,
    order: async (by: Order) => {
      try {
        const { steps } = await earshot.collections.order(crate.id, by);
        await change(
          steps.map(({ job_id }) => job_id),
          'Songs put in order.',
          new Map(steps.map(({ job_id, reason }) => [job_id, reason])),
        );
      } catch (error) {
        showToast((error as Error).message);
      }
    },
    rename: async (name: string) => {
      await earshot.request('updateCollection', { params: { collection_id: crate.id }, body: { name } });
      notifyCratesChanged();
      reload();
    },
    deleteCrate: () =>
      confirmed(
        {
          title: `Delete ${crate.name}?`,
          text: 'The crate is deleted. Its songs stay in the library.',
          action: 'Delete',
        },
        async () => {
          await earshot.request('deleteCollection', { params: { collection_id: crate.id } });
          notifyCratesChanged();
          go('/crates');
        },
      ),
    move: (index: number, by: 1 | -1) => {
      const next = [...ids];
      const [moved] = next.splice(index, 1);
      next.splice(index + by, 0, moved!);
      void change(next, 'Song moved.');
    },
    removeSong: (jobId: string) =>
      void change(
        ids.filter((id) => id !== jobId),
        'Song removed.',
      ),
  };
}

function CrateHead(props: {
  crate: Crate;
  onOrder: (by: Order) => Promise<void>;
  onRename: (name: string) => Promise<void>;
  onDelete: () => Promise<void>;
}) {
  const { crate, onOrder, onRename, onDelete } = props;
  const [renaming, setRenaming] = useState(false);
  return (
    <PageHead
      title={crate.name}
      line={`${formatSongCount(crate.item_count)} · ${formatClock(crate.duration_seconds)}`}
    >
      <RequireRole atLeast="member">
        <Menu trigger="Order">
          {ORDERS.map(([by, name]) => (
            <MenuItem key={by} onSelect={() => void onOrder(by)}>
              {name}
            </MenuItem>
          ))}
        </Menu>
      </RequireRole>
      <ExportMenu
        formats={CRATE_FORMATS}
        hrefOf={(format) => `/v1/collections/${crate.id}/export?format=${format}`}
      />
      <RequireRole atLeast="member">
        <button type="button" onClick={() => setRenaming(true)}>
          Rename
        </button>
        <button type="button" className="danger" onClick={() => void onDelete()}>
          Delete
        </button>
      </RequireRole>
      {renaming && (
        <CrateNameDialog
          title="Rename the crate"
          initial={crate.name}
          submitLabel="Rename"
          onName={onRename}
          onClose={() => setRenaming(false)}
        />
      )}
    </PageHead>
  );
}

function CrateItem(props: {
  item: Item;
  index: number;
  isLast: boolean;
  song: Song | null;
  reason: string | null;
  onMove: (by: 1 | -1) => void;
  onRemove: () => void;
}) {
  const { item, index, isLast, song, reason, onMove, onRemove } = props;
  const player = usePlayer();
  const { track, playing } = usePlayerState();
  const isPlaying = playing && track?.id === item.job_id;
  const title = titleOf(item);
  return (
    <li>
      <span className="soft number">{index + 1}</span>
      <Tool
        label={`${isPlaying ? 'Pause' : 'Play'} ${title}`}
        icon={isPlaying ? Pause : Play}
        disabled={!song}
        onClick={() => song && playSong(player, song)}
      />
      <span className="beyond-phone">
        <MiniWaveform peaks={song?.headline?.waveform ?? null} camelot={item.camelot} />
      </span>
      <TitleAndArtist item={item} reason={reason} />
      <span className="number">{item.bpm?.toFixed(1) ?? '–'}</span>
      <KeyChip notation={item.key_notation} camelot={item.camelot} />
      <span className="beyond-phone">
        <ShareBar share={item.energy} />
      </span>
      <span className="soft number beyond-phone">
        {item.duration_seconds === null ? '' : formatClock(item.duration_seconds)}
      </span>
      <RequireRole atLeast="member">
        <span className="row crate-tools">
          <Tool label={`Move ${title} up`} icon={ArrowUp} disabled={index === 0} onClick={() => onMove(-1)} />
          <Tool label={`Move ${title} down`} icon={ArrowDown} disabled={isLast} onClick={() => onMove(1)} />
          <Tool label={`Remove ${title}`} icon={X} onClick={onRemove} />
        </span>
      </RequireRole>
    </li>
  );
}

function Tool(props: { label: string; icon: LucideIcon; disabled?: boolean; onClick: () => void }) {
  const { label, icon: Icon, disabled, onClick } = props;
  return (
    <button type="button" className="icon quiet" aria-label={label} disabled={disabled} onClick={onClick}>
      <Icon size={15} />
    </button>
  );
}

function titleOf(item: Item): string {
  return item.title ?? item.job_id;
}

function TitleAndArtist({ item, reason }: { item: Item; reason: string | null }) {
  return (
    <span className="song-names">
      <Link href={`/analyses/${item.job_id}`} className="song-link">
        <span className="song-title-line" dir="auto">
          {titleOf(item)}
        </span>
      </Link>
      <span className="soft small">{reason ?? <bdi>{item.artist}</bdi>}</span>
    </span>
  );
}
