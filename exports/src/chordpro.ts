import { type ExportSource, requireGroup, songAlbum, songArtist, songTitle } from './export-source.ts';

/** A lead sheet in ChordPro 6: a grid of bars for every section, a chord where it begins, a dot for every beat it goes on. */
export function writeChordPro(source: ExportSource): string {
  const { chords_sevenths: chords } = requireGroup(source, 'tonal');
  const { document } = source;
  const head = [
    directive('title', songTitle(source)),
    ...(songArtist(source) ? [directive('artist', songArtist(source))] : []),
    ...(songAlbum(source) ? [directive('album', songAlbum(source))] : []),
    ...(document.key_notation ? [directive('key', document.key_notation)] : []),
    ...(document.bpm === null ? [] : [directive('tempo', document.bpm.toFixed(0))]),
    ...(document.time_signature === null ? [] : [directive('time', `${document.time_signature}/4`)]),
    directive('duration', clock(document.duration_seconds)),
  ];
  const bars = chordBars(source);
  if (bars.length === 0) {
    const names = chords.filter((chord) => chord.label !== 'N').map((chord) => `[${chartName(chord.label)}]`);
    return [...head, '', names.join(' '), ''].join('\n');
  }
  const sections = document.structure?.sections ?? [];
  const body: string[] = [];
  const write = (title: string | null, within: typeof bars) => {
    if (within.length === 0) return;
    body.push('', title === null ? '{start_of_grid}' : `{start_of_grid: ${title}}`);
    for (let at = 0; at < within.length; at += BARS_PER_LINE) {
      body.push(
        `| ${within
          .slice(at, at + BARS_PER_LINE)
          .map(({ cells }) => cells.join(' '))
          .join(' | ')} |`,
      );
    }
    body.push('{end_of_grid}');
  };
  const firstStart = sections[0]?.start_seconds ?? Number.POSITIVE_INFINITY;
  write(
    null,
    bars.filter((bar) => bar.middleSeconds < firstStart),
  );
  for (const section of sections) {
    write(
      section.label,
      bars.filter(
        (bar) => bar.middleSeconds >= section.start_seconds && bar.middleSeconds < section.end_seconds,
      ),
    );
  }
  return [...head, ...body, ''].join('\n');
}

const BARS_PER_LINE = 4;
/** As the engine has it: how far a chord may begin before a beat and still belong to it. */
const BEAT_TOLERANCE_SECONDS = 0.07;

function chordBars({ document }: ExportSource): { middleSeconds: number; cells: string[] }[] {
  const beats = document.rhythm?.beats ?? [];
  const chords = document.tonal?.chords_sevenths ?? [];
  const bars: { times: number[]; cells: string[] }[] = [];
  let current = -1;
  let shown: string | null = null;
  for (const beat of beats) {
    if (beat.bar !== current) {
      bars.push({ times: [], cells: [] });
      current = beat.bar;
    }
    const chord = chords.findLast((one) => one.start_seconds <= beat.time_seconds + BEAT_TOLERANCE_SECONDS);
    const name = chord === undefined || chord.label === 'N' ? 'N.C.' : chartName(chord.label);
    const bar = bars.at(-1)!;
    bar.cells.push(name === shown && bar.cells.length > 0 ? '.' : name);
    shown = name;
    bar.times.push(beat.time_seconds);
  }
  return bars.map(({ times, cells }) => ({ cells, middleSeconds: (times[0]! + times.at(-1)!) / 2 }));
}

const QUALITIES: Readonly<Record<string, string>> = {
  maj: '',
  min: 'm',
  '7': '7',
  maj7: 'maj7',
  min7: 'm7',
  dim: 'dim',
  hdim7: 'm7b5',
  sus4: 'sus4',
  sus2: 'sus2',
  aug: '+',
  maj6: '6',
  min6: 'm6',
};

/** "A:min7" as a chart writes it, "Am7"; basses are left out. */
export function chartName(label: string): string {
  const [root = '', rest = 'maj'] = label.split(':');
  const quality = rest.split('/')[0] ?? 'maj';
  return `${root}${QUALITIES[quality] ?? quality}`;
}

function directive(name: string, value: string): string {
  return `{${name}: ${value.replace(/[{}\r\n]/g, ' ')}}`;
}

function clock(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`;
}
