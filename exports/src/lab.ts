import { type ExportSource, requireGroup } from './export-source.ts';

/** MIREX and Isophonics annotation files: one event or span per line, times in seconds, tab-separated. */

export function writeLabBeats(source: ExportSource): string {
  const { beats } = requireGroup(source, 'rhythm');
  return lines(beats.map((beat) => [format(beat.time_seconds), String(beat.beat_in_bar)]));
}

export function writeLabChords(source: ExportSource): string {
  const { chords } = requireGroup(source, 'tonal');
  return lines(chords.map((chord) => [format(chord.start_seconds), format(chord.end_seconds), chord.label]));
}

export function writeLabSections(source: ExportSource): string {
  const { sections } = requireGroup(source, 'structure');
  return lines(
    sections.map((section) => [format(section.start_seconds), format(section.end_seconds), section.label]),
  );
}

function format(seconds: number): string {
  return seconds.toFixed(6);
}

function lines(rows: string[][]): string {
  return rows.map((row) => `${row.join('\t')}\n`).join('');
}
