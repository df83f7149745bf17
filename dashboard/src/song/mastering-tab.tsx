import { formatNumber } from '../format.ts';
import { usePlayer } from '../playback/use-player.tsx';
import type { Result } from '../result.ts';
import { LoadedView } from '../ui/loaded-view.tsx';
import { useLoad } from '../use-load.ts';
import { loadGroups } from './load-groups.ts';
import { Pairs } from './overview-tab.tsx';
import { groupEvents, lossyOrigin } from './quality-words.ts';

/** Loudness as measured, what the services will make of it, the balance of the bands, and faults that can be clicked. */
export function MasteringTab({ result, jobId }: { result: Result; jobId: string | null }) {
  const [loaded, reload] = useLoad(
    () => (jobId ? loadGroups(jobId, 'loudness,quality,timbre,file') : Promise.resolve(result)),
    `mastering ${jobId}`,
  );
  return (
    <LoadedView loaded={loaded} reload={reload}>
      {(sound) => (
        <div className="columns two">
          <LoudnessCard result={sound} />
          <PlatformCard result={sound} />
          <BalanceCard result={sound} />
          <QualityCard result={sound} />
        </div>
      )}
    </LoadedView>
  );
}

const unit = (value: number | null | undefined, name: string, digits = 1) =>
  value === null || value === undefined ? null : `${formatNumber(value, digits)} ${name}`;

function LoudnessCard({ result }: { result: Result }) {
  const { loudness } = result;
  if (!loudness) return null;
  return (
    <section className="card">
      <h2>Loudness</h2>
      <Pairs
        rows={[
          ['Integrated', unit(loudness.integrated_lufs, 'LUFS')],
          ['Range', unit(loudness.range_lu, 'LU')],
          ['Peak to loudness', unit(loudness.plr_lu, 'LU')],
          ['Short-term max', unit(loudness.short_term_max_lufs, 'LUFS')],
          ['Momentary max', unit(loudness.momentary_max_lufs, 'LUFS')],
          ['True peak', unit(loudness.true_peak_dbtp, 'dBTP')],
          ['Sample peak', unit(loudness.sample_peak_dbfs, 'dBFS')],
          ['ReplayGain', unit(loudness.replay_gain.track_gain_db, 'dB')],
        ]}
      />
    </section>
  );
}

const PLATFORMS: Record<string, string> = {
  spotify: 'Spotify',
  apple_music: 'Apple Music',
  youtube: 'YouTube',
  tidal: 'Tidal',
  amazon_music: 'Amazon Music',
  podcast: 'Podcasts',
};

function PlatformCard({ result }: { result: Result }) {
  const platforms = result.loudness?.platforms ?? [];
  if (platforms.length === 0) return null;
  return (
    <section className="card">
      <h2>What each service will do</h2>
      <table className="tight">
        <thead>
          <tr>
            <th scope="col">Service</th>
            <th scope="col" className="number">
              Target
            </th>
            <th scope="col" className="number">
              Gain
            </th>
            <th scope="col">
              <span className="visually-hidden">Why</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {platforms.map(({ platform, target_lufs, gain_db, limited }) => (
            <tr key={platform}>
              <td>{PLATFORMS[platform] ?? platform}</td>
              <td className="number">{unit(target_lufs, 'LUFS', 0)}</td>
              <td className="number">{gain_db === null ? '–' : showGain(gain_db)}</td>
              <td className="soft small">{gain_db !== null && sayGain(platform, gain_db, limited)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function showGain(gainDb: number): string {
  const text = Math.abs(gainDb).toFixed(1);
  return `${text === '0.0' ? '±' : gainDb > 0 ? '+' : '−'}${text} dB`;
}

function sayGain(platform: string, gainDb: number, limited: boolean): string {
  if (!limited) return gainDb < 0 ? 'turned down' : 'turned up';
  // Every other service turns up as far as the true peak leaves room.
  return platform === 'youtube' ? 'never turned up' : 'held by the peak';
}

/** A deviation that fills half of the bar. */
const BALANCE_SPAN_DB = 12;

function BalanceCard({ result }: { result: Result }) {
  const bands = result.timbre?.tonal_balance ?? [];
  if (bands.length === 0) return null;
  return (
    <section className="card">
      <h2>Tonal balance</h2>
      <p className="soft small">Each band against the mean of mastered music.</p>
      <ul className="plain balance">
        {bands.map(({ band, deviation_db }) => {
          const share = Math.min(1, Math.abs(deviation_db) / BALANCE_SPAN_DB) * 50;
          const sign = deviation_db >= 0 ? '+' : '−';
          return (
            <li key={band}>
              <span>{band.replaceAll('_', ' ')}</span>
              <span className="balance-bar">
                <i style={{ left: deviation_db >= 0 ? '50%' : `${50 - share}%`, width: `${share}%` }} />
              </span>
              <span className="small soft">
                {sign}
                {Math.abs(deviation_db).toFixed(1)} dB
              </span>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

/** More would be a wall of buttons, and the export has them all. */
const PLACES_SHOWN_MAX = 24;
/** One hears what comes before a click, too. */
const RUN_UP_SECONDS = 0.5;
/** Full scale is 1; less is in many a good recording. */
const DC_OFFSET_TOLD_MIN = 0.005;

function QualityCard({ result }: { result: Result }) {
  const player = usePlayer();
  const { quality } = result;
  if (!quality) return null;
  const { events, event_counts, bandwidth_hz, stereo } = quality;
  const places = groupEvents(events);
  const count = Object.values(event_counts).reduce((sum, one) => sum + one, 0);
  const dcOffset = Math.max(...quality.dc_offset.map(Math.abs));
  return (
    <section className="card">
      <h2>Quality</h2>
      {events.length === 0 && <p>No clipping, clicks, dropouts or long silences.</p>}
      <ul className="plain row">
        {places.slice(0, PLACES_SHOWN_MAX).map(({ words, startSeconds }) => (
          <li key={words}>
            <button
              type="button"
              className="small"
              onClick={() => player.seek(Math.max(0, startSeconds - RUN_UP_SECONDS))}
            >
              {words}
            </button>
          </li>
        ))}
      </ul>
      {(places.length > PLACES_SHOWN_MAX || count > events.length) && (
        <p className="soft">and more, {count.toLocaleString()} in all</p>
      )}
      <Pairs
        rows={[
          ['Bandwidth', bandwidth_hz === null ? null : `${(bandwidth_hz / 1000).toFixed(1)} kHz`],
          ['Made from a lossy file', lossyOrigin(result)],
          ['DC offset', dcOffset >= DC_OFFSET_TOLD_MIN ? `${(dcOffset * 100).toFixed(1)} %` : null],
          ['Noise floor', unit(quality.noise_floor_dbfs, 'dBFS')],
          ['Stereo correlation', stereo ? formatNumber(stereo.correlation, 2) : null],
          ['Phase', stereo?.phase_inverted ? 'channels opposed' : null],
          ['Left against right', stereo ? showGain(stereo.imbalance_db) : null],
          ['Lost in mono', stereo ? unit(stereo.mono_loss_db, 'dB') : null],
          [
            'Hum',
            quality.hum ? `${quality.hum.frequency_hz} Hz at ${unit(quality.hum.level_dbfs, 'dBFS')}` : null,
          ],
        ]}
      />
    </section>
  );
}
