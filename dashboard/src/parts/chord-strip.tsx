import { useState } from 'react';
import { indexAt, type Result } from '../result.ts';
import { showChord } from '../transpose.ts';

const CHORDS_AHEAD = 5;

/** The chord of the moment and the next ones, in any key or as Roman numerals. */
export function ChordStrip({ result, seconds }: { result: Result; seconds: number }) {
  const [semitones, setSemitones] = useState(0);
  const [roman, setRoman] = useState(false);
  const chords = result.tonal?.chords ?? [];
  if (chords.length === 0) return null;
  const now = indexAt(chords, seconds, (chord) => chord.start_seconds);
  const show = (chord: (typeof chords)[number]) =>
    roman ? (chord.roman ?? '–') : showChord(chord.label, semitones);
  const current = chords[now];
  return (
    <div className="row chords">
      <output className="chord-now" aria-label="Chord">
        {current ? show(current) : '–'}
      </output>
      <span className="chords-next" aria-hidden="true">
        {chords.slice(now + 1, now + 1 + CHORDS_AHEAD).map((chord) => (
          <span key={chord.start_seconds}>{show(chord)}</span>
        ))}
      </span>
      <label>
        Transpose
        <select value={semitones} onChange={(event) => setSemitones(Number(event.target.value))}>
          {Array.from({ length: 12 }, (_, index) => index - 5).map((step) => (
            <option key={step} value={step}>
              {step > 0 ? `+${step}` : step}
            </option>
          ))}
        </select>
      </label>
      <label className="choice">
        <input type="checkbox" checked={roman} onChange={(event) => setRoman(event.target.checked)} /> Roman
        numerals
      </label>
    </div>
  );
}
