import { formatDifference, formatNumber, formatQuantity } from '../format.ts';
import { useDeck } from '../playback/use-player.tsx';
import type { Result } from '../result.ts';
import { LoadedView } from '../ui/loaded-view.tsx';
import { Pairs } from '../ui/pairs.tsx';
import { useLoad } from '../use-load.ts';
import { loadGroups } from './load-groups.ts';
import { describeGain, groupEvents, lossyOrigin } from './mastering-words.ts';

/** Measured loudness, each platform's gain, tonal balance, and defects as buttons that seek to them. */
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

function LoudnessCard({ result }: { result: Result }) {
  const { loudness } = result;
  if (!loudness) return null;
  return (
    <section className="card">
      <h2>Loudness</h2>
      <Pairs
        rows={[
          ['Integrated', formatQuantity(loudness.integrated_lufs, 'LUFS', 1)],
          ['Range', formatQuantity(loudness.range_lu, 'LU', 1)],
          ['Peak to loudness', formatQuantity(loudness.plr_lu, 'LU', 1)],
          ['Short-term max', formatQuantity(loudness.short_term_max_lufs, 'LUFS', 1)],
          ['Momentary max', formatQuantity(loudness.momentary_max_lufs, 'LUFS', 1)],
          ['True peak', formatQuantity(loudness.true_peak_dbtp, 'dBTP', 1)],
          ['Sample peak', formatQuantity(loudness.sample_peak_dbfs, 'dBFS', 1)],
          ['ReplayGain', formatQuantity(loudness.replay_gain.track_gain_db, 'dB', 1)],
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
              <td className="number">{formatQuantity(target_lufs, 'LUFS', 0)}</td>
              <td className="number">{gain_db === null ? '–' : formatDifference(gain_db, 'dB', 1)}</td>
              <td className="soft small">{gain_db !== null && describeGain(platform, gain_db, limited)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** The deviation that fills its half of the bar; larger ones are cut there, and their number is written beside it. */
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
          const widthPercent = Math.min(1, Math.abs(deviation_db) / BALANCE_SPAN_DB) * 50;
          return (
            <li key={band}>
              <span>{band.replaceAll('_', ' ')}</span>
              <span className="balance-bar">
                <i
                  style={{
                    left: deviation_db >= 0 ? '50%' : `${50 - widthPercent}%`,
                    width: `${widthPercent}%`,
                  }}
                />
              </span>
              <span className="small soft">{formatDifference(deviation_db, 'dB', 1)}</span>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

/** Fits on one screen; the line below the buttons gives the total. */
const PLACES_MAX = 24;
/** Playback starts a little early, so that the defect is heard in context. */
const RUN_UP_SECONDS = 0.5;
/** Of full scale (-46 dBFS). Smaller offsets are common in good recordings and inaudible. */
const DC_OFFSET_RATIO_MIN = 0.005;

function QualityCard({ result }: { result: Result }) {
  const deck = useDeck();
  const { quality } = result;
  if (!quality) return null;
  const { events, event_counts, bandwidth_hz, stereo } = quality;
  const places = groupEvents(events);
  const count = Object.values(event_counts).reduce((sum, kindCount) => sum + kindCount, 0);
  const dcOffsetRatio = Math.max(...quality.dc_offset.map(Math.abs));
  return (
    <section className="card">
      <h2>Quality</h2>
      {events.length === 0 && <p>No clipping, clicks, dropouts or long silences.</p>}
      <ul className="plain row">
        {places.slice(0, PLACES_MAX).map(({ label, startSeconds }) => (
          <li key={label}>
            <button
              type="button"
              className="small"
              onClick={() => deck.seek(Math.max(0, startSeconds - RUN_UP_SECONDS))}
            >
              {label}
            </button>
          </li>
        ))}
      </ul>
      {(places.length > PLACES_MAX || count > events.length) && (
        <p className="soft">and more, {count.toLocaleString()} in all</p>
      )}
      <Pairs
        rows={[
          ['Bandwidth', bandwidth_hz === null ? null : `${(bandwidth_hz / 1000).toFixed(1)} kHz`],
          ['Made from a lossy file', lossyOrigin(result)],
          [
            'DC offset',
            dcOffsetRatio >= DC_OFFSET_RATIO_MIN ? `${(dcOffsetRatio * 100).toFixed(1)} %` : null,
          ],
          ['Noise floor', formatQuantity(quality.noise_floor_dbfs, 'dBFS', 1)],
          ['Stereo correlation', stereo ? formatNumber(stereo.correlation, 2) : null],
          ['Phase', stereo?.phase_inverted ? 'channels opposed' : null],
          ['Left against right', stereo ? formatDifference(stereo.imbalance_db, 'dB', 1) : null],
          ['Lost in mono', stereo ? formatQuantity(stereo.mono_loss_db, 'dB', 1) : null],
          [
            'Hum',
            quality.hum
              ? `${quality.hum.frequency_hz} Hz at ${formatQuantity(quality.hum.level_dbfs, 'dBFS', 1)}`
              : null,
          ],
        ]}
      />
    </section>
  );
}
