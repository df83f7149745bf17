/** Playlists: M3U8, Traktor's NML, VirtualDJ's virtual folder and Serato's crate. */

import {
  type ExportSource,
  sectionName,
  songAlbum,
  songArtist,
  songGenre,
  songTitle,
} from '../export-source.ts';
import { parseKey } from '../pitch-class.ts';
import { attributes, escapeXml } from '../xml.ts';
import { HOT_CUES_MAX, localPathOf, type SongList, urlPathOf } from './song-list.ts';

/** Extended M3U in UTF-8, with the paths on the user's machine. */
export function writeM3u8({ name, songs, folder }: SongList): string {
  const line = (text: string) => text.replace(/[\r\n]+/g, ' ');
  const entries = songs.flatMap((song) => [
    `#EXTINF:${Math.round(song.document.duration_seconds)},${line([songArtist(song), songTitle(song)].filter(Boolean).join(' - '))}`,
    // A line that begins with # would be a comment.
    line(localPathOf(song, folder)).replace(/^#/, './#'),
  ]);
  return ['#EXTM3U', `#PLAYLIST:${line(name ?? '')}`, ...entries, ''].join('\n');
}

/** Traktor numbers the major keys from 0 (C) to 11, and the minor keys from 12 (C) to 23. */
function traktorKey(song: ExportSource): string | null {
  const key = song.document.key_notation === null ? null : parseKey(song.document.key_notation);
  return key && String(key.pitchClass + (key.scale === 'minor' ? 12 : 0));
}

const GRID_CUE = '4';
const HOT_CUE = '0';

/**
 * Traktor's NML 19: a collection with tempo, key, the start of the grid and cues at sections, and a playlist. The format has no
 * specification. Types of cues and numbers of keys are those of dj-data-converter (src/converter/traktor/cue.cljc, and the collection
 * written by Traktor in test-resources/); traktor-nml-utils reads what is written here (exports/readers).
 */
export function writeTraktorNml({ name, songs, folder }: SongList): string {
  const placed = songs.map((song) => ({ song, place: traktorPlace(urlPathOf(song, folder)) }));
  const entries = placed.flatMap(({ song, place }) => {
    const { document } = song;
    const key = traktorKey(song);
    const genre = songGenre(song);
    return [
      `<ENTRY${attributes({ TITLE: songTitle(song), ARTIST: songArtist(song) ?? '' })}>`,
      `<LOCATION${attributes({ DIR: place.dir, FILE: place.file, VOLUME: place.volume })}></LOCATION>`,
      `<ALBUM${attributes({ TITLE: songAlbum(song) ?? '' })}></ALBUM>`,
      `<INFO${attributes({
        ...(genre === null ? {} : { GENRE: genre }),
        PLAYTIME: String(Math.round(document.duration_seconds)),
        PLAYTIME_FLOAT: document.duration_seconds.toFixed(6),
        ...(document.open_key ? { KEY: document.open_key } : {}),
      })}></INFO>`,
      ...(document.bpm === null
        ? []
        : [`<TEMPO${attributes({ BPM: document.bpm.toFixed(6), BPM_QUALITY: '100.000000' })}></TEMPO>`]),
      ...(key === null ? [] : [`<MUSICAL_KEY${attributes({ VALUE: key })}></MUSICAL_KEY>`]),
      ...traktorCues(song),
      '</ENTRY>',
    ];
  });
  const keys = placed.map(
    ({ place }) =>
      `<ENTRY><PRIMARYKEY${attributes({ TYPE: 'TRACK', KEY: `${place.volume}${place.dir}${place.file}` })}></PRIMARYKEY></ENTRY>`,
  );
  return [
    '<?xml version="1.0" encoding="UTF-8" standalone="no" ?>',
    '<NML VERSION="19"><HEAD COMPANY="earshot" PROGRAM="Earshot"></HEAD>',
    `<COLLECTION ENTRIES="${songs.length}">`,
    ...entries,
    '</COLLECTION>',
    '<PLAYLISTS><NODE TYPE="FOLDER" NAME="$ROOT"><SUBNODES COUNT="1">',
    `<NODE${attributes({ TYPE: 'PLAYLIST', NAME: name ?? 'Earshot' })}>`,
    `<PLAYLIST ENTRIES="${songs.length}" TYPE="LIST">`,
    ...keys,
    '</PLAYLIST></NODE></SUBNODES></NODE></PLAYLISTS>',
    '</NML>',
    '',
  ].join('\n');
}

function traktorCues({ document }: ExportSource): string[] {
  const cue = (name: string, type: string, seconds: number, hotCue: number) =>
    `<CUE_V2${attributes({
      NAME: name,
      DISPL_ORDER: '0',
      TYPE: type,
      START: (seconds * 1000).toFixed(6),
      LEN: '0.000000',
      REPEATS: '-1',
      HOTCUE: String(hotCue),
    })}></CUE_V2>`;
  const first = document.rhythm?.downbeats[0];
  const sections = document.structure?.sections ?? [];
  return [
    ...(first ? [cue('AutoGrid', GRID_CUE, first.time_seconds, -1)] : []),
    ...sections
      .slice(0, HOT_CUES_MAX)
      .map((section, index) => cue(sectionName(section), HOT_CUE, section.start_seconds, index)),
  ];
}

/** Of a path with drive: its letter on Windows, its folder on macOS. */
const DRIVE = /^\/(?:([A-Za-z]:|Volumes\/[^/]+)\/)?/;

/** Splits `/C:/Music/a.mp3` as Traktor does: the drive, the folders joined by `/:`, and the file (Mixxx, traktorfeature.cpp). */
function traktorPlace(path: string): { volume: string; dir: string; file: string } {
  const [root, drive = ''] = DRIVE.exec(path)!;
  const parts = path
    .slice(root.length)
    .split('/')
    .filter((part) => part !== '');
  const file = parts.pop() ?? '';
  return {
    volume: drive.replace(/^Volumes\//, ''),
    dir: `/:${parts.map((part) => `${part}/:`).join('')}`,
    file,
  };
}

/**
 * VirtualDJ's virtual folder, with the columns of its browser for each song. Without `ordered`, VirtualDJ keeps the order only until it is
 * closed (VDJPedia, "Lists").
 */
export function writeVirtualDjList({ name, songs, folder }: SongList): string {
  const entries = songs.map((song, index) => {
    const { document } = song;
    return `  <song${attributes({
      path: localPathOf(song, folder),
      size: String(document.file.byte_size),
      songlength: document.duration_seconds.toFixed(3),
      ...(document.bpm === null ? {} : { bpm: document.bpm.toFixed(3) }),
      ...(document.key_notation === null ? {} : { key: document.key_notation }),
      artist: songArtist(song) ?? '',
      title: songTitle(song),
      idx: String(index),
    })}/>`;
  });
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<VirtualFolder noDuplicates="yes" ordered="yes" name="${escapeXml(name ?? '')}">`,
    ...entries,
    '</VirtualFolder>',
    '',
  ].join('\n');
}

/**
 * A Serato crate: records with a tag and a length, and text in big-endian UTF-16 (Holzhaus, serato-tags). It only names the files: Serato
 * keeps grids and cues in their tags. A crate is stored on the drive of its songs, and its paths start at the root of that drive.
 */
export function writeSeratoCrate({ songs, folder }: SongList): Uint8Array {
  const tracks = songs.map((song) =>
    record('otrk', record('ptrk', utf16(urlPathOf(song, folder).replace(DRIVE, '')))),
  );
  return Buffer.concat([record('vrsn', utf16('1.0/Serato ScratchLive Crate')), ...tracks]);
}

function record(tag: string, body: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.write(tag, 0, 'latin1');
  head.writeUInt32BE(body.length, 4);
  return Buffer.concat([head, body]);
}

function utf16(text: string): Buffer {
  return Buffer.from(text, 'utf16le').swap16();
}
