import { chartTonic } from './chart-spelling.ts';
import { chartName, musicXmlKind, parseChord } from './chord-label.ts';
import {
  type ExportSource,
  ExportUnavailable,
  requireGroup,
  songArtist,
  songTitle,
} from './export-source.ts';
import { readSheet, type SheetBar } from './lead-sheet.ts';
import { parseKey, signatureOf } from './pitch-class.ts';
import type { ResultDocument } from './result-document.ts';
import { escapeXml } from './xml.ts';

/**
 * A lead sheet in MusicXML 4.0: chord symbols above a slash for every beat, sections as rehearsal marks, tempo, meter and key. Slashes
 * are silent in playback, because the melody is unknown.
 */
export function writeMusicXml(source: ExportSource): string {
  requireGroup(source, 'rhythm');
  requireGroup(source, 'tonal');
  const bars = readSheet(source);
  if (bars.length === 0) {
    throw new ExportUnavailable('No steady beat was found in this audio, and a lead sheet has bars.');
  }
  const { document } = source;
  const artist = songArtist(source);
  const measures = planMeasures(bars).map((measure, index) =>
    writeMeasure(measure, index === 0 ? document : null),
  );
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<!DOCTYPE score-partwise PUBLIC "-//Recordare//DTD MusicXML 4.0 Partwise//EN" "http://www.musicxml.org/dtds/partwise.dtd">',
    '<score-partwise version="4.0">',
    `<work><work-title>${escapeXml(songTitle(source))}</work-title></work>`,
    `<identification>${artist ? `<creator type="artist">${escapeXml(artist)}</creator>` : ''}<encoding><software>Earshot ${escapeXml(document.provenance.engine_version)}</software></encoding></identification>`,
    '<part-list><score-part id="P1"><part-name>Chords</part-name></score-part></part-list>',
    `<part id="P1">\n${measures.join('')}</part>`,
    '</score-partwise>',
    '',
  ].join('\n');
}

type Measure = {
  bar: SheetBar;
  number: number;
  /** It has fewer beats than its meter, because the song begins or ends within it. */
  isIncomplete: boolean;
  /** Null if the meter does not change. */
  newMeterBeats: number | null;
  /** The chord on the beat before; undefined in the first measure. */
  chordBefore: string | null | undefined;
};

/** Measures are numbered from 1; a pickup has number 0. */
function planMeasures(bars: readonly SheetBar[]): Measure[] {
  const numberOfFirst = bars[0]?.isPickup ? 0 : 1;
  const meters = bars.map((_, index) => meterBeatsOf(bars, index));
  return bars.map((bar, index) => ({
    bar,
    number: numberOfFirst + index,
    isIncomplete: bar.isPickup || bar.chords.length < meters[index]!,
    newMeterBeats: meters[index] === meters[index - 1] ? null : meters[index]!,
    chordBefore: bars[index - 1]?.chords.at(-1),
  }));
}

/** A pickup has the meter of the next bar, and an incomplete last bar that of the previous one. */
function meterBeatsOf(bars: readonly SheetBar[], index: number): number {
  const { isPickup, chords } = bars[index]!;
  if (isPickup) return bars[index + 1]?.chords.length ?? chords.length;
  const before = bars[index - 1];
  if (index < bars.length - 1 || before === undefined || before.isPickup) return chords.length;
  return Math.max(chords.length, before.chords.length);
}

/** `opening`: the result for the first measure, which also has the key and the tempo; null for the others. */
function writeMeasure(
  { bar, number, isIncomplete, newMeterBeats, chordBefore }: Measure,
  opening: ResultDocument | null,
): string {
  const time =
    newMeterBeats === null ? '' : `<time><beats>${newMeterBeats}</beats><beat-type>4</beat-type></time>`;
  const attributes = opening === null ? time : writeOpening(opening.key_notation, time);
  const beats = bar.chords.map((label, beat) => {
    const before = beat === 0 ? chordBefore : bar.chords[beat - 1];
    return `${label === before ? '' : harmonyOf(label)}${SLASH}`;
  });
  return [
    `<measure number="${number}"${isIncomplete ? ' implicit="yes"' : ''}>\n`,
    attributes === '' ? '' : `<attributes>${attributes}</attributes>\n`,
    directionsOf(bar, opening?.bpm ?? null),
    ...beats,
    '</measure>\n',
  ].join('');
}

const SLASH =
  '<note dynamics="0"><pitch><step>B</step><octave>4</octave></pitch><duration>1</duration><type>quarter</type><stem>none</stem><notehead>slash</notehead></note>\n';

function writeOpening(keyNotation: string | null, time: string): string {
  const key = keyNotation === null ? null : parseKey(keyNotation);
  const signature = key
    ? `<key><fifths>${signatureOf(chartTonic(key.tonic, key.scale), key.scale)}</fifths><mode>${key.scale}</mode></key>`
    : '';
  return `<divisions>1</divisions>${signature}${time}<clef><sign>G</sign><line>2</line></clef>`;
}

function directionsOf({ section }: SheetBar, bpm: number | null): string {
  const mark =
    section === null
      ? ''
      : `<direction placement="above"><direction-type><rehearsal>${escapeXml(section)}</rehearsal></direction-type></direction>\n`;
  const tempo =
    bpm === null
      ? ''
      : `<direction placement="above"><direction-type><metronome><beat-unit>quarter</beat-unit><per-minute>${bpm.toFixed(0)}</per-minute></metronome></direction-type><sound tempo="${bpm.toFixed(2)}"/></direction>\n`;
  return `${mark}${tempo}`;
}

function harmonyOf(label: string | null): string {
  const chord = label === null ? null : parseChord(label);
  if (label === null || chord === null) {
    return '<harmony><root><root-step text="">C</root-step></root><kind text="N.C.">none</kind></harmony>\n';
  }
  const bass = chord.bassPitchClass === chord.rootPitchClass ? '' : noteOf('bass', chord.bass);
  const suffix = chartName(label).slice(chord.root.length).split('/')[0]!;
  return `<harmony>${noteOf('root', chord.root)}<kind text="${escapeXml(suffix)}">${musicXmlKind(chord)}</kind>${bass}</harmony>\n`;
}

function noteOf(what: 'root' | 'bass', name: string): string {
  const alter = name.endsWith('#') ? 1 : name.endsWith('b') ? -1 : 0;
  const altered = alter === 0 ? '' : `<${what}-alter>${alter}</${what}-alter>`;
  return `<${what}><${what}-step>${name[0]}</${what}-step>${altered}</${what}>`;
}
