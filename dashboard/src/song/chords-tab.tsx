import { Printer } from 'lucide-react';
import { type FormEvent, useMemo, useState } from 'react';
import { readChord, showChord } from '../music/chords.ts';
import { spellKey, transposeFifths } from '../music/spelling.ts';
import { useDeck, useSeconds } from '../playback/use-player.tsx';
import type { Result } from '../result.ts';
import { Dialog } from '../ui/dialog.tsx';
import { useToast } from '../ui/toasts.tsx';
import { retypeChord } from './corrections.ts';
import type { ExportFormat } from './export-formats.ts';
import { type SheetBar, type SheetChord, writeLeadSheet } from './lead-sheet.ts';
import type { Song } from './use-song.ts';

/** A capo on the twelfth fret sounds an octave higher, with the same chord names as none. */
const CAPO_FRET_MAX = 11;
/** The longest chord that `readChord` accepts, "C#mmaj7/F#", has ten; a few spaces are allowed. */
const CHORD_CHARACTERS_MAX = 12;
const SHEET_FORMATS: readonly [format: ExportFormat, name: string][] = [
  ['chordpro', 'ChordPro'],
  ['musicxml', 'MusicXML'],
];

/** The song as a lead sheet: it highlights the bar that plays, transposes for a capo, and prints. */
export function ChordsTab(props: {
  result: Result;
  song: Song | null;
  jobId: string | null;
  semitones: number;
  onTranspose: (semitones: number) => void;
}) {
  const { result, song, jobId, semitones, onTranspose } = props;
  const [roman, setRoman] = useState(false);
  const [edited, setEdited] = useState<SheetChord | null>(null);
  const sheet = useMemo(() => writeLeadSheet(result), [result]);
  const fifths = transposeFifths(result.key_notation, semitones);
  const show = (chord: SheetChord) => (roman ? (chord.roman ?? '–') : showChord(chord.label, fifths));
  if (sheet.length === 0) return <p className="page-state">No bars were detected in this song.</p>;
  return (
    <>
      <div className="row sheet-tools no-print">
        <label className="inline">
          Capo
          <select value={-semitones} onChange={(event) => onTranspose(-Number(event.target.value))}>
            {Array.from({ length: CAPO_FRET_MAX + 1 }, (_, fret) => (
              <option key={fret} value={fret}>
                {fret === 0 ? 'none' : `fret ${fret}`}
              </option>
            ))}
          </select>
        </label>
        <label className="choice">
          <input type="checkbox" checked={roman} onChange={(event) => setRoman(event.target.checked)} />
          Roman numerals
        </label>
        <button type="button" onClick={() => window.print()}>
          <Printer size={15} /> Print
        </button>
        {jobId &&
          SHEET_FORMATS.map(([format, name]) => (
            <a key={format} className="button" href={`/v1/analyses/${jobId}/exports/${format}`} download>
              {name}
            </a>
          ))}
      </div>
      <p className="soft">
        {result.key_notation && `Key of ${spellKey(result.key_notation)}`}
        {result.bpm !== null && ` · ${result.bpm.toFixed(0)} BPM`}
        {result.time_signature !== null && ` · ${result.time_signature}/4`}
        {semitones !== 0 && ` · capo ${-semitones}`}
      </p>
      <div className="sheet">
        {sheet.map((part) => (
          <section key={part.bars[0]?.number}>
            <h2 className="capital">{part.name ?? 'Bars'}</h2>
            <ol className="plain sheet-bars">
              {part.bars.map((bar) => (
                <Bar key={bar.number} bar={bar} show={show} onEdit={song ? setEdited : null} />
              ))}
            </ol>
          </section>
        ))}
      </div>
      {edited && song && (
        <ChordDialog
          chord={edited}
          shown={showChord(edited.label, transposeFifths(result.key_notation, 0))}
          song={song}
          onClose={() => setEdited(null)}
        />
      )}
    </>
  );
}

function Bar(props: {
  bar: SheetBar;
  show: (chord: SheetChord) => string;
  onEdit: ((chord: SheetChord) => void) | null;
}) {
  const { bar, show, onEdit } = props;
  const deck = useDeck();
  const seconds = useSeconds(deck);
  const now = seconds >= bar.startSeconds && seconds < bar.endSeconds;
  return (
    <li className="sheet-bar" aria-current={now ? 'true' : undefined}>
      <button
        type="button"
        className="sheet-number"
        aria-label={`Go to bar ${bar.number}`}
        onClick={() => deck.seek(bar.startSeconds)}
      >
        {bar.number}
      </button>
      {bar.chords.length === 0 && <span className="soft">·</span>}
      {bar.chords.map((chord) =>
        onEdit ? (
          <button
            key={chord.startSeconds}
            type="button"
            className="sheet-chord"
            aria-label={`Chord ${show(chord)} in bar ${bar.number}: change`}
            onClick={() => onEdit(chord)}
          >
            {show(chord)}
          </button>
        ) : (
          <span key={chord.startSeconds} className="sheet-chord">
            {show(chord)}
          </span>
        ),
      )}
    </li>
  );
}

function ChordDialog(props: { chord: SheetChord; shown: string; song: Song; onClose: () => void }) {
  const { chord, shown, song, onClose } = props;
  const showToast = useToast();
  const save = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const label = readChord(String(new FormData(event.currentTarget).get('chord')));
    if (label === null) {
      showToast('That is not a chord we know. Try Am7, F#, Bb, Esus4, or N for none.');
      return;
    }
    const span = { start_seconds: chord.startSeconds, end_seconds: chord.endSeconds };
    song.correct((body) => retypeChord(body, span, label), `Chord is ${showChord(label)}.`);
    onClose();
  };
  return (
    <Dialog title="Change the chord" onClose={onClose}>
      <form className="row end" onSubmit={save}>
        <label className="grow">
          Chord
          <input
            name="chord"
            defaultValue={shown === '–' ? 'N' : shown}
            required
            maxLength={CHORD_CHARACTERS_MAX}
          />
        </label>
        <button type="submit" className="main">
          Save
        </button>
        <button type="button" onClick={onClose}>
          Cancel
        </button>
      </form>
    </Dialog>
  );
}
