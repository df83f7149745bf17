import { Pencil } from 'lucide-react';
import type { ReactNode } from 'react';
import { formatClock, formatPercent, formatQuantity } from '../format.ts';
import { KEY_NAMES, keyName, spellKey } from '../music/spelling.ts';
import type { Result } from '../result.ts';
import { keyColourStyle } from '../ui/key-chip.tsx';
import { Menu, MenuItem, MenuLine } from '../ui/menu.tsx';
import { changeTempo, heardBpmOf, heardOf } from './correct-song.ts';
import { otherKeys } from './overview.ts';
import type { Song } from './use-song.ts';

/** The headline numbers with their confidence; tempo, key and meter can be corrected in place. */
export function Facts({ result, song }: { result: Result; song: Song | null }) {
  return (
    <dl className="facts">
      <TempoFact result={result} song={song} />
      <KeyFact result={result} song={song} />
      <MeterFact result={result} song={song} />
      <Fact label="Loudness" value={withUnit(result.loudness_lufs, 'LUFS', 1)} />
      <Fact label="True peak" value={withUnit(result.true_peak_dbtp, 'dBTP', 1)} />
      <Fact label="Length" value={formatClock(result.duration_seconds)} />
      <Fact label="Energy" value={result.energy === null ? '–' : formatPercent(result.energy)} />
      {result.genre_suggestions[0] && (
        <Fact
          label="Genre"
          value={result.genre_suggestions[0]}
          note={confidenceNote(result.tags?.genres[0]?.confidence ?? null)}
        />
      )}
    </dl>
  );
}

function Fact(props: { label: string; value: ReactNode; note?: string | null; children?: ReactNode }) {
  const { label, value, note, children } = props;
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        <span className="fact-value">{value}</span>
        {note && <small>{note}</small>}
        {children}
      </dd>
    </div>
  );
}

const confidenceNote = (confidence: number | null) =>
  confidence === null ? null : `${formatPercent(confidence)} sure`;

function withUnit(value: number | null, unit: string, decimals: number): string {
  return formatQuantity(value, unit, decimals) ?? '–';
}

const TEMPO_CHANGES = [
  [0.5, '÷2', 'halve the tempo'],
  [2, '×2', 'double the tempo'],
] as const;

function TempoFact({ result, song }: { result: Result; song: Song | null }) {
  const corrected = result.corrections?.kinds.includes('tempo');
  const heard = withUnit(heardBpmOf(result), 'BPM', 2);
  return (
    <Fact
      label="Tempo"
      value={withUnit(result.bpm, 'BPM', 2)}
      note={corrected ? `corrected; heard ${heard}` : confidenceNote(result.bpm_confidence)}
    >
      {song && result.bpm !== null && (
        <span className="row no-print">
          {TEMPO_CHANGES.map(([factor, sign, label]) => (
            <button
              key={sign}
              type="button"
              className="small"
              disabled={song.busy}
              onClick={() => changeTempo(song, result, factor)}
            >
              {sign}
              <span className="visually-hidden"> {label}</span>
            </button>
          ))}
        </span>
      )}
    </Fact>
  );
}

/** Few enough to stay a shortcut: every key follows in the same menu. */
const KEY_SUGGESTIONS_MAX = 4;

function KeyFact({ result, song }: { result: Result; song: Song | null }) {
  const corrected = result.corrections?.kinds.includes('key');
  const heard = heardOf(result)?.key_notation;
  const value = result.key_notation ? (
    <>
      {spellKey(result.key_notation)}{' '}
      {result.camelot && (
        <span className="chip key-chip" style={keyColourStyle(result.camelot)}>
          {result.camelot}
        </span>
      )}
    </>
  ) : (
    '–'
  );
  const correctKey = (key: string | null) =>
    song?.correct((body) => ({ ...body, key }), key === null ? 'Key as heard.' : `Key is ${key}.`);
  const others = otherKeys(result).slice(0, KEY_SUGGESTIONS_MAX);
  return (
    <Fact
      label="Key"
      value={value}
      note={
        corrected && heard ? `corrected; heard ${spellKey(heard)}` : confidenceNote(result.key_confidence)
      }
    >
      {song && (
        <CorrectionMenu label="Correct the key">
          {others.map(({ key, scale }) => (
            <MenuItem key={`${key} ${scale}`} onSelect={() => correctKey(keyName(key, scale))}>
              {keyName(key, scale)}
            </MenuItem>
          ))}
          <MenuLine />
          {corrected && <MenuItem onSelect={() => correctKey(null)}>As heard</MenuItem>}
          {KEY_NAMES.map((key) => (
            <MenuItem key={key} onSelect={() => correctKey(key)}>
              {key}
            </MenuItem>
          ))}
        </CorrectionMenu>
      )}
    </Fact>
  );
}

const CORRECTABLE_BEATS_PER_BAR = [2, 3, 4, 5, 6, 7];

function MeterFact({ result, song }: { result: Result; song: Song | null }) {
  const heard = heardOf(result);
  const corrected = heard !== null && heard.time_signature !== result.time_signature;
  const note = corrected
    ? `corrected; heard ${meterName(heard.time_signature)}`
    : confidenceNote(result.rhythm?.time_signature?.confidence ?? null);
  return (
    <Fact label="Meter" value={meterName(result.time_signature)} note={note}>
      {song && result.time_signature !== null && (
        <CorrectionMenu label="Correct the meter">
          {CORRECTABLE_BEATS_PER_BAR.map((count) => (
            <MenuItem
              key={count}
              onSelect={() =>
                song.correct((body) => ({ ...body, beats_per_bar: count }), `${count} beats in a bar.`)
              }
            >
              {meterName(count)}
            </MenuItem>
          ))}
        </CorrectionMenu>
      )}
    </Fact>
  );
}

function meterName(beatsPerBar: number | null): string {
  return beatsPerBar === null ? '–' : `${beatsPerBar}/4`;
}

function CorrectionMenu({ label, children }: { label: string; children: ReactNode }) {
  return (
    <Menu
      trigger={
        <button type="button" className="icon quiet no-print" aria-label={label}>
          <Pencil size={14} />
        </button>
      }
    >
      {children}
    </Menu>
  );
}
