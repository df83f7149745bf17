import { COMMON_TIME_BEATS } from './beat-grid.ts';
import { HOT_CUES_MAX, type SongList, urlPathOf } from './collection/song-list.ts';
import {
  type ExportSource,
  requireGroup,
  sectionName,
  songAlbum,
  songArtist,
  songGenre,
  songTitle,
} from './export-source.ts';
import type { ResultDocument, Rhythm } from './result-document.ts';
import { attributes } from './xml.ts';

/** A rekordbox XML 1.0.0 collection: beat grids, keys, sections as cues and, for more than one song, a playlist. */
export function writeRekordboxXml(source: ExportSource): string {
  requireGroup(source, 'rhythm');
  return writeRekordboxCollection({ name: null, songs: [source], folder: null });
}

/** If `folder` is null, the locations are incomplete and rekordbox asks for the files on import. */
export function writeRekordboxCollection({ name, songs, folder }: SongList): string {
  const engineVersion = songs[0]?.document.provenance.engine_version ?? '';
  const keys = songs.map((_, index) => `          <TRACK${attributes({ Key: String(index + 1) })}/>`);
  const playlist =
    name === null
      ? ['    <NODE Type="0" Name="ROOT" Count="0"/>']
      : [
          '    <NODE Type="0" Name="ROOT" Count="1">',
          `      <NODE${attributes({ Name: name, Type: '1', KeyType: '0', Entries: String(songs.length) })}>`,
          ...keys,
          '      </NODE>',
          '    </NODE>',
        ];
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<DJ_PLAYLISTS Version="1.0.0">',
    `  <PRODUCT${attributes({ Name: 'Earshot', Version: engineVersion, Company: '' })}/>`,
    `  <COLLECTION Entries="${songs.length}">`,
    ...songs.flatMap((song, index) => trackLines(song, String(index + 1), folder)),
    '  </COLLECTION>',
    '  <PLAYLISTS>',
    ...playlist,
    '  </PLAYLISTS>',
    '</DJ_PLAYLISTS>',
    '',
  ].join('\n');
}

function trackLines(source: ExportSource, trackId: string, folder: string | null): string[] {
  const { document } = source;
  const track = attributes({
    TrackID: trackId,
    Name: songTitle(source),
    Artist: songArtist(source) ?? '',
    Album: songAlbum(source) ?? '',
    Genre: songGenre(source) ?? '',
    TotalTime: String(Math.round(document.duration_seconds)),
    ...(document.bpm === null ? {} : { AverageBpm: document.bpm.toFixed(2) }),
    Tonality: document.key_notation ?? '',
    Size: String(document.file.byte_size),
    SampleRate: String(document.file.sample_rate_hz),
    Location: `file://localhost${encodePath(urlPathOf(source, folder))}`,
  });
  return [
    `    <TRACK${track}>`,
    ...(document.rhythm ? tempoElements(document.rhythm) : []).map((element) => `      ${element}`),
    ...cueElements(document).map((element) => `      ${element}`),
    '    </TRACK>',
  ];
}

/** A drive keeps its colon, as rekordbox writes it: /C:/Music/a%20b.mp3. */
function encodePath(path: string): string {
  const [, drive, rest] = /^(\/[A-Za-z]:)?(.*)$/s.exec(path)!;
  return `${drive ?? ''}${rest!.split('/').map(encodeURIComponent).join('/')}`;
}

/** How far a grid line may be from its beat before a new tempo is written: the precision of beat trackers. */
const GRID_ERROR_SECONDS_MAX = 0.01;

/** As few tempos as keep every grid line on its beat and every bar line on its downbeat. A steady song has one. */
function tempoElements(rhythm: Rhythm): string[] {
  const elements: string[] = [];
  const barBreaks = findBarBreaks(rhythm);
  let start = 0;
  while (start < rhythm.beats.length - 1) {
    const first = rhythm.beats[start]!;
    const run = longestSteadyRun(rhythm, start, barBreaks);
    elements.push(
      `<TEMPO${attributes({
        Inizio: first.time_seconds.toFixed(3),
        Bpm: (run.bpmHundredths / 100).toFixed(2),
        Metro: `${Math.max(beatsPerBarAt(rhythm, first.time_seconds), first.beat_in_bar)}/4`,
        Battito: String(first.beat_in_bar),
      })}/>`,
    );
    start = run.end;
  }
  return elements;
}

function beatsPerBarAt({ time_signature: meter }: Rhythm, seconds: number): number {
  const change = meter?.changes.find((one) => one.start_seconds <= seconds && seconds < one.end_seconds);
  return change?.beats_per_bar ?? meter?.beats_per_bar ?? COMMON_TIME_BEATS;
}

/** The beats where rekordbox, which counts bars of one length from the start of each tempo, would misplace the bar line. */
function findBarBreaks(rhythm: Rhythm): Set<number> {
  const breaks = new Set<number>();
  for (const [index, beat] of rhythm.beats.entries()) {
    const before = rhythm.beats[index - 1];
    if (!before) continue;
    const beatsPerBar = beatsPerBarAt(rhythm, before.time_seconds);
    const counted = (before.beat_in_bar % beatsPerBar) + 1;
    if (beat.beat_in_bar !== counted || beatsPerBarAt(rhythm, beat.time_seconds) !== beatsPerBar)
      breaks.add(index);
  }
  return breaks;
}

/** The slowest accepted tempo is 20 BPM, so a longer distance between two beats is a rest. */
const REST_SECONDS_MIN = 3;
/** The format requires a number even if the tempo is unknown; 120 is the default of sequencers. */
const DEFAULT_BPM = 120;

/**
 * The last beat that one tempo reaches from `start`, and that tempo. Every beat narrows the range of tempos that place a grid line near
 * enough to it. The run ends before a rest, at a bar break, or when the range contains no tempo of two decimals, which is all that the
 * format holds; a range is kept in hundredths of BPM. A run of a single beat, before a rest, gets the tempo of the song.
 */
export function longestSteadyRun(
  { beats, bpm }: Pick<Rhythm, 'beats' | 'bpm'>,
  start: number,
  barBreaks: ReadonlySet<number> = new Set(),
): { end: number; bpmHundredths: number } {
  const startSeconds = beats[start]!.time_seconds;
  let slowestHundredths = 0;
  let fastestHundredths = Number.POSITIVE_INFINITY;
  let end = start;
  for (let index = start + 1; index < beats.length; index++) {
    if (beats[index]!.time_seconds - beats[index - 1]!.time_seconds > REST_SECONDS_MIN) break;
    const distanceSeconds = beats[index]!.time_seconds - startSeconds;
    const hundredthsOf = (seconds: number) => (6000 * (index - start)) / Math.max(seconds, Number.EPSILON);
    const slower = Math.max(
      slowestHundredths,
      Math.ceil(hundredthsOf(distanceSeconds + GRID_ERROR_SECONDS_MAX)),
    );
    const faster = Math.min(
      fastestHundredths,
      Math.floor(hundredthsOf(distanceSeconds - GRID_ERROR_SECONDS_MAX)),
    );
    if (slower > faster) break;
    [slowestHundredths, fastestHundredths, end] = [slower, faster, index];
    if (barBreaks.has(index)) break;
  }
  if (end === start) return { end: start + 1, bpmHundredths: Math.round(100 * (bpm ?? DEFAULT_BPM)) };
  return { end, bpmHundredths: Math.round((slowestHundredths + fastestHundredths) / 2) };
}

const CUE = '0';
const MEMORY_CUE = '-1';

/** Every section is a memory cue, and the first HOT_CUES_MAX are hot cues too. */
function cueElements(document: ResultDocument): string[] {
  return (document.structure?.sections ?? []).flatMap((section, index) => {
    const numbers = index < HOT_CUES_MAX ? [MEMORY_CUE, String(index)] : [MEMORY_CUE];
    return numbers.map(
      (number) =>
        `<POSITION_MARK${attributes({
          Name: sectionName(section),
          Type: CUE,
          Start: section.start_seconds.toFixed(3),
          Num: number,
        })}/>`,
    );
  });
}
