import { chartName, musicXmlKind, parseChord, spellBass } from './chord-label.ts';
import {
  type ExportSource,
  ExportUnavailable,
  requireGroup,
  songArtist,
  songTitle,
} from './export-source.ts';
import { readSheet, type SheetBar } from './lead-sheet.ts';
import { parseKey, signatureOf } from './pitch-class.ts';
import { escapeXml } from './xml.ts';

/**
 * A lead sheet in MusicXML 4.0: chord symbols over a slash for every beat, sections as rehearsal marks, tempo, meter and
 * key. The slashes are silent when they are played: what is sung was not written down.
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
  let shown: string | null | undefined;
  let beatsShown = 0;
  let number = bars[0]?.pickup ? 0 : 1;
  const measures = bars.map((bar, index) => {
    // A song that ends within a bar does not change its meter.
    const cut = bar.pickup || (index === bars.length - 1 && bar.chords.length < beatsShown);
    const beats =
      index === 0 && bar.pickup ? (bars[1]?.chords.length ?? bar.chords.length) : bar.chords.length;
    const attributes =
      cut && index > 0
        ? ''
        : attributesOf(index === 0 ? document.key_notation : null, beats, beats !== beatsShown, index === 0);
    if (!cut || index === 0) beatsShown = beats;
    const notes = bar.chords.map((label) => {
      const harmony = label !== shown ? harmonyOf(label) : '';
      shown = label;
      return `${harmony}${SLASH}`;
    });
    const implicit = cut ? ' implicit="yes"' : '';
    return `<measure number="${number++}"${implicit}>\n${attributes}${directionsOf(bar, index === 0 ? document.bpm : null)}${notes.join('')}</measure>\n`;
  });
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

const SLASH =
  '<note dynamics="0"><pitch><step>B</step><octave>4</octave></pitch><duration>1</duration><type>quarter</type><stem>none</stem><notehead>slash</notehead></note>\n';

function attributesOf(key: string | null, beats: number, newMeter: boolean, first: boolean): string {
  if (!first && !newMeter) return '';
  const parsed = key === null ? null : parseKey(key);
  const signature = parsed
    ? `<key><fifths>${signatureOf(parsed.pitchClass, parsed.mode)}</fifths><mode>${parsed.mode}</mode></key>`
    : '';
  const time = `<time><beats>${beats}</beats><beat-type>4</beat-type></time>`;
  return first
    ? `<attributes><divisions>1</divisions>${signature}${time}<clef><sign>G</sign><line>2</line></clef></attributes>\n`
    : `<attributes>${time}</attributes>\n`;
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
  const bass = chord.bassPitchClass === chord.rootPitchClass ? '' : noteOf('bass', spellBass(chord));
  const suffix = chartName(label).slice(chord.root.length).split('/')[0]!;
  return `<harmony>${noteOf('root', chord.root)}<kind text="${escapeXml(suffix)}">${musicXmlKind(chord)}</kind>${bass}</harmony>\n`;
}

function noteOf(what: 'root' | 'bass', name: string): string {
  const alter = name.endsWith('#') ? 1 : name.endsWith('b') ? -1 : 0;
  const altered = alter === 0 ? '' : `<${what}-alter>${alter}</${what}-alter>`;
  return `<${what}><${what}-step>${name[0]}</${what}-step>${altered}</${what}>`;
}
