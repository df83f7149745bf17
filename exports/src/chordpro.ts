import { chartChords, chartKey } from './chart-spelling.ts';
import { chartName, parseChord } from './chord-label.ts';
import { type ExportSource, requireGroup, songAlbum, songArtist, songTitle } from './export-source.ts';
import { readSheet, type SheetBar } from './lead-sheet.ts';

/** A lead sheet in ChordPro 6: a grid for every section. Each bar begins with its chord, and has a dot on each beat that continues one. */
export function writeChordPro(source: ExportSource): string {
  requireGroup(source, 'tonal');
  const { document } = source;
  const artist = songArtist(source);
  const album = songAlbum(source);
  const head = [
    directive('title', songTitle(source)),
    ...(artist ? [directive('artist', artist)] : []),
    ...(album ? [directive('album', album)] : []),
    ...(document.key_notation ? [directive('key', chartKey(document.key_notation))] : []),
    ...(document.bpm === null ? [] : [directive('tempo', document.bpm.toFixed(0))]),
    ...(document.time_signature === null ? [] : [directive('time', `${document.time_signature}/4`)]),
    directive('duration', formatDuration(document.duration_seconds)),
  ];
  const bars = readSheet(source);
  if (bars.length === 0) {
    const chords = chartChords(document).filter(({ label }) => parseChord(label) !== null);
    const names = chords.map(({ label }) => `[${chartName(label)}]`);
    return [...head, '', names.join(' '), ''].join('\n');
  }
  return [...head, ...bySection(bars).flatMap(writeGrid), ''].join('\n');
}

function bySection(bars: readonly SheetBar[]): SheetBar[][] {
  const parts: SheetBar[][] = [];
  for (const bar of bars) {
    if (parts.length === 0 || bar.section !== null) parts.push([]);
    parts.at(-1)!.push(bar);
  }
  return parts;
}

/** Most music has phrases of four bars. */
const BARS_PER_LINE = 4;

function writeGrid(bars: readonly SheetBar[]): string[] {
  const title = bars[0]?.section ?? null;
  const lines = ['', title === null ? '{start_of_grid}' : `{start_of_grid: ${title}}`];
  for (let at = 0; at < bars.length; at += BARS_PER_LINE) {
    const cells = bars.slice(at, at + BARS_PER_LINE).map(writeBar);
    lines.push(`| ${cells.join(' | ')} |`);
  }
  return [...lines, '{end_of_grid}'];
}

function writeBar({ chords }: SheetBar): string {
  return chords
    .map((label, beat) =>
      beat > 0 && label === chords[beat - 1] ? '.' : label === null ? 'N.C.' : chartName(label),
    )
    .join(' ');
}

function directive(name: string, value: string): string {
  return `{${name}: ${value.replace(/[{}\r\n]/g, ' ')}}`;
}

/** ChordPro has minutes and seconds, but no hours. */
function formatDuration(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`;
}
