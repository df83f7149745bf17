import { type ExportSource, requireGroup, songTitle } from './export-source.ts';
import type { ResultDocument } from './result-document.ts';

/**
 * A rekordbox XML 1.0.0 collection of one track: its beat grid, key and sections as cues. We do not know where the file
 * lies on the reader's disk, so Location is its name at the root; rekordbox asks for it on import.
 */
export function writeRekordboxXml(source: ExportSource): string {
  const rhythm = requireGroup(source, 'rhythm');
  const { document } = source;
  const { tags } = document.file;
  const track = attributes({
    TrackID: '1',
    Name: songTitle(source),
    Artist: tags.artist ?? '',
    Album: tags.album ?? '',
    Genre: tags.genre ?? document.genre_suggestions[0] ?? '',
    TotalTime: String(Math.round(document.duration_seconds)),
    AverageBpm: rhythm.bpm === null ? '' : rhythm.bpm.toFixed(2),
    Tonality: document.key_notation ?? '',
    Size: String(document.file.byte_size),
    SampleRate: String(document.file.sample_rate_hz),
    Location: `file://localhost/${encodeURIComponent(source.fileName ?? source.analysisId)}`,
  });
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<DJ_PLAYLISTS Version="1.0.0">',
    `  <PRODUCT${attributes({ Name: 'Earshot', Version: document.provenance.engine_version, Company: '' })}/>`,
    '  <COLLECTION Entries="1">',
    `    <TRACK${track}>`,
    ...tempoElements(rhythm).map((element) => `      ${element}`),
    ...cueElements(document).map((element) => `      ${element}`),
    '    </TRACK>',
    '  </COLLECTION>',
    '  <PLAYLISTS>',
    '    <NODE Type="0" Name="ROOT" Count="0"/>',
    '  </PLAYLISTS>',
    '</DJ_PLAYLISTS>',
    '',
  ].join('\n');
}

type Rhythm = NonNullable<ResultDocument['rhythm']>;

/** A grid line may be off the heard beat by this much before a new tempo is written; a tenth of what a DJ hears as a flam. */
const GRID_ERROR_SECONDS_MAX = 0.01;

/** As few tempos as keep every line of the grid on its beat: a steady song has one. */
function tempoElements(rhythm: Rhythm): string[] {
  const elements: string[] = [];
  let start = 0;
  while (start < rhythm.beats.length - 1) {
    const first = rhythm.beats[start]!;
    const run = longestSteadyRun(rhythm.beats, start);
    elements.push(
      `<TEMPO${attributes({
        Inizio: first.time_seconds.toFixed(3),
        Bpm: (run.bpmHundredths / 100).toFixed(2),
        Metro: `${rhythm.time_signature?.beats_per_bar ?? 4}/4`,
        Battito: String(first.beat_in_bar),
      })}/>`,
    );
    start = run.end;
  }
  return elements;
}

/**
 * The furthest beat that one tempo reaches from `start`, and that tempo. Every beat narrows the range of tempos whose
 * line falls near enough to it; the run ends when no tempo of two decimals, which is all the format holds, is left.
 */
function longestSteadyRun(beats: Rhythm['beats'], start: number): { end: number; bpmHundredths: number } {
  const startSeconds = beats[start]!.time_seconds;
  let slowest = 0;
  let fastest = Number.POSITIVE_INFINITY;
  let end = start;
  for (let index = start + 1; index < beats.length; index++) {
    const distanceSeconds = beats[index]!.time_seconds - startSeconds;
    const hundredthsOf = (seconds: number) => (6000 * (index - start)) / Math.max(seconds, Number.EPSILON);
    const slower = Math.max(slowest, Math.ceil(hundredthsOf(distanceSeconds + GRID_ERROR_SECONDS_MAX)));
    const faster = Math.min(fastest, Math.floor(hundredthsOf(distanceSeconds - GRID_ERROR_SECONDS_MAX)));
    if (slower > faster) break;
    [slowest, fastest, end] = [slower, faster, index];
  }
  return { end, bpmHundredths: Math.round((slowest + fastest) / 2) };
}

const CUE = '0';
const MEMORY_CUE = '-1';

function cueElements(document: ResultDocument): string[] {
  return (document.structure?.sections ?? []).map(
    (section) =>
      `<POSITION_MARK${attributes({
        Name: `${section.label} (${section.group})`,
        Type: CUE,
        Start: section.start_seconds.toFixed(3),
        Num: MEMORY_CUE,
      })}/>`,
  );
}

function attributes(values: Record<string, string>): string {
  return Object.entries(values)
    .map(([name, value]) => ` ${name}="${escapeXml(value)}"`)
    .join('');
}

function escapeXml(text: string): string {
  return (
    text
      // XML 1.0 has no way to write most control characters, so they cannot be kept.
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is removed
      .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('"', '&quot;')
      .replace(/[\t\n\r]/g, (character) => `&#${character.charCodeAt(0)};`)
  );
}
