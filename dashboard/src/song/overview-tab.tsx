import { Repeat } from 'lucide-react';
import { formatClock, formatPercent } from '../format.ts';
import { mixesWith } from '../music/camelot.ts';
import { groupColour, SECTION_LABELS } from '../music/sections.ts';
import { keyName } from '../music/spelling.ts';
import { useDeck, useDeckState } from '../playback/use-player.tsx';
import type { Result } from '../result.ts';
import { KeyWheel } from '../ui/key-wheel.tsx';
import { Pairs } from '../ui/pairs.tsx';
import { Bar } from '../ui/share-bar.tsx';
import { useToast } from '../ui/toasts.tsx';
import { splitHere } from './correct-song.ts';
import { renameSection, sectionsOf } from './corrections.ts';
import { characterWords, otherKeys, tempoAbsence } from './overview.ts';
import type { Song } from './use-song.ts';

export function OverviewTab({ result, song }: { result: Result; song: Song | null }) {
  return (
    <div className="overview">
      <div className="columns">
        <Sections result={result} song={song} />
        <KeyCard result={result} />
        <div className="stack">
          <FeelingCard result={result} />
          <TempoCard result={result} />
        </div>
      </div>
    </div>
  );
}

function Sections({ result, song }: { result: Result; song: Song | null }) {
  const deck = useDeck();
  const { loop, other } = useDeckState();
  const showToast = useToast();
  const sections = result.structure?.sections ?? [];
  if (sections.length === 0) return null;
  const split = (song: Song) => {
    if (!splitHere(song, result, deck.seconds))
      showToast('Not split: the playhead is where a section begins or ends.');
  };
  return (
    <section className="card">
      <div className="spread">
        <h2>Sections</h2>
        {song && (
          <button
            type="button"
            className="quiet small"
            disabled={song.busy || other !== null}
            onClick={() => split(song)}
          >
            Split at the playhead
          </button>
        )}
      </div>
      <ol className="plain section-list">
        {sections.map((section, index) => {
          const looped =
            loop?.startSeconds === section.start_seconds && loop.endSeconds === section.end_seconds;
          const span = { startSeconds: section.start_seconds, endSeconds: section.end_seconds };
          return (
            <li key={section.start_seconds}>
              <button
                type="button"
                className="quiet small"
                onClick={() => deck.seek(section.start_seconds)}
                aria-label={`Go to ${section.label} at ${formatClock(section.start_seconds)}`}
              >
                <i style={{ background: groupColour(section.group) }} />
                {formatClock(section.start_seconds)}
              </button>
              {song ? (
                <select
                  aria-label={`Name of the section at ${formatClock(section.start_seconds)}`}
                  value={section.label}
                  disabled={song.busy}
                  onChange={(event) => {
                    const label = SECTION_LABELS.find((name) => name === event.target.value);
                    if (!label) return;
                    const next = renameSection(sectionsOf(result), index, label);
                    song.correct((body) => ({ ...body, sections: next }), `Section renamed to ${label}.`);
                  }}
                >
                  {SECTION_LABELS.map((name) => (
                    <option key={name}>{name}</option>
                  ))}
                </select>
              ) : (
                <span>{section.label}</span>
              )}
              <button
                type="button"
                className="icon quiet"
                aria-pressed={looped}
                aria-label={`Loop ${section.label} at ${formatClock(section.start_seconds)}`}
                onClick={() => deck.setLoop(looped ? null : span)}
              >
                <Repeat size={15} />
              </button>
            </li>
          );
        })}
      </ol>
    </section>
  );
}

/** An alternative this close is the estimate itself: the list has other readings, such as half or double. */
const SAME_TEMPO_RATIO = 0.01;
/** Displayed as 0 %, so not worth a line. */
const WEIGHT_MIN = 0.005;
/** Keeps the card short. */
const ALTERNATIVES_MAX = 4;

function TempoCard({ result }: { result: Result }) {
  if (!result.rhythm) return null;
  const { alternatives, stability, swing } = result.rhythm;
  const absence = tempoAbsence(result);
  const others = alternatives.filter(
    ({ bpm }) => result.bpm === null || Math.abs(bpm / result.bpm - 1) > SAME_TEMPO_RATIO,
  );
  return (
    <section className="card">
      <h2>Tempo</h2>
      {absence && <p>{absence}</p>}
      <Alternatives items={others.map((item) => [`or ${item.bpm.toFixed(1)} BPM`, item.weight])} />
      <Pairs
        rows={[
          ['Steadiness', stability === null ? null : formatPercent(stability)],
          ['Swing', swing ? `${formatPercent(swing.ratio)} of the beat` : null],
          ['Onsets', `${result.rhythm.onset_rate_hz.toFixed(1)} a second`],
        ]}
      />
    </section>
  );
}

function KeyCard({ result }: { result: Result }) {
  if (!result.camelot || !result.tonal) return null;
  return (
    <section className="card">
      <h2>Key</h2>
      <KeyWheel selected={[result.camelot]} related={mixesWith(result.camelot)} />
      <Alternatives
        items={otherKeys(result).map((item) => [`or ${keyName(item.key, item.scale)}`, item.weight])}
      />
      <Pairs
        rows={[['Tuned to', result.tonal.tuning_hz ? `A = ${result.tonal.tuning_hz.toFixed(1)} Hz` : null]]}
      />
    </section>
  );
}

function FeelingCard({ result }: { result: Result }) {
  const values: [name: string, share: number | null][] = [
    ['Energy', result.energy],
    ['Danceability', result.danceability],
    ['Valence', result.valence],
    ['Acousticness', result.acousticness],
    ['Instrumentalness', result.instrumentalness],
    ['Speechiness', result.speechiness],
  ];
  const words = characterWords(result);
  if (words.length === 0 && values.every(([, share]) => share === null)) return null;
  return (
    <section className="card">
      <h2>Character</h2>
      {words.length > 0 && (
        <p className="row tag-row">
          {words.map((word) => (
            <span key={word} className="chip">
              {word}
            </span>
          ))}
        </p>
      )}
      <ul className="plain bars">
        {values.map(
          ([name, share]) =>
            share !== null && (
              <li key={name}>
                <span>{name}</span>
                <Bar share={share} />
                <span className="soft small">{formatPercent(share)}</span>
              </li>
            ),
        )}
      </ul>
    </section>
  );
}

/** Other possible values with their weights. */
function Alternatives({ items }: { items: [string, number][] }) {
  const likely = items.filter(([, weight]) => weight >= WEIGHT_MIN).slice(0, ALTERNATIVES_MAX);
  if (likely.length === 0) return null;
  return (
    <ul className="plain bars">
      {likely.map(([name, weight]) => (
        <li key={name}>
          <span>{name}</span>
          <Bar share={weight} />
          <span className="soft small">{formatPercent(weight)}</span>
        </li>
      ))}
    </ul>
  );
}
