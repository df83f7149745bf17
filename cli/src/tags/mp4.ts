/**
 * Writes BPM, key, Camelot key, genre and ReplayGain into the iTunes metadata of an M4A file: moov/udta/meta/ilst. When `moov` precedes
 * the audio, its growth moves the audio, and the chunk offsets in `moov` are adjusted (ISO/IEC 14496-12, 8.7.5).
 */

import { box, type Mp4Box, readBoxes } from './mp4-boxes.ts';
import { namedFields, type SongTags, TagsUnavailable } from './song-tags.ts';

const GENRE = '\u00a9gen';
const ITUNES = 'com.apple.iTunes';
/** Types of iTunes data. */
const TEXT = 1;
const INTEGER = 21;

export function tagMp4(file: Uint8Array, tags: SongTags): Uint8Array {
  const top = readBoxes(file);
  const moov = top.find(({ type }) => type === 'moov');
  if (!moov) throw new TagsUnavailable('it has no table of contents');
  if (top.some(({ type }) => ['moof', 'sidx', 'mfra'].includes(type)))
    throw new TagsUnavailable('it is a fragmented MP4, made for streaming');
  const children = readBoxes(moov.body);
  const list = children.find(({ type }) => type === 'udta');
  const written = [
    ...children.filter((child) => child !== list).map(({ bytes }) => bytes),
    box('udta', userData(list, tags)),
  ];
  const grown = box('moov', Buffer.concat(written));
  shiftChunks(grown, { fromByte: moov.end, byBytes: grown.length - moov.bytes.length });
  return Buffer.concat([file.subarray(0, moov.start), grown, file.subarray(moov.end)]);
}

function userData(udta: Mp4Box | undefined, tags: SongTags): Uint8Array {
  const children = udta ? readBoxes(udta.body) : [];
  const meta = children.find(({ type }) => type === 'meta');
  return Buffer.concat([
    ...children.filter((child) => child !== meta).map(({ bytes }) => bytes),
    box('meta', meta ? updateMeta(meta.body, tags) : newMeta(tags)),
  ]);
}

function updateMeta(body: Uint8Array, tags: SongTags): Uint8Array {
  // Without the version field that MP4 has, `meta` is QuickTime's.
  const versionBytes = Buffer.from(body.subarray(4, 8)).toString('latin1') === 'hdlr' ? 0 : 4;
  const children = readBoxes(body.subarray(versionBytes));
  const handler = children.find(({ type }) => type === 'hdlr')?.body.subarray(8, 12) ?? [];
  // Entries of `mdta` metadata are indexes into a table of names (QuickTime File Format); ours would point to none.
  if (Buffer.from(handler).toString('latin1') === 'mdta')
    throw new TagsUnavailable('its tags are those of QuickTime, not of iTunes');
  const list = children.find(({ type }) => type === 'ilst');
  return Buffer.concat([
    body.subarray(0, versionBytes),
    ...children.filter((child) => child !== list).map(({ bytes }) => bytes),
    box('ilst', updateList(list ? readBoxes(list.body) : [], tags)),
  ]);
}

function newMeta(tags: SongTags): Uint8Array {
  const handler = Buffer.concat([Buffer.alloc(8), Buffer.from('mdirappl'), Buffer.alloc(9)]);
  return Buffer.concat([Buffer.alloc(4), box('hdlr', handler), box('ilst', updateList([], tags))]);
}

function updateList(items: readonly Mp4Box[], tags: SongTags): Uint8Array {
  const texts = [
    ...(tags.key === null ? [] : [['initialkey', tags.key] as const]),
    ...namedFields(tags).map(([name, value]) => [name.toLowerCase(), value] as const),
  ];
  const isReplaced = (item: Mp4Box) =>
    (item.type === 'tmpo' && tags.bpm !== null) ||
    // `gnre` is the genre as a number of ID3v1.
    ([GENRE, 'gnre'].includes(item.type) && tags.genre !== null) ||
    (item.type === '----' && texts.some(([name]) => name === nameOfFreeForm(item)));
  return Buffer.concat([
    ...items.filter((item) => !isReplaced(item)).map(({ bytes }) => bytes),
    ...(tags.bpm === null ? [] : [box('tmpo', tempoData(tags.bpm))]),
    ...(tags.genre === null ? [] : [box(GENRE, data(TEXT, Buffer.from(tags.genre)))]),
    ...texts.map(([name, value]) =>
      box(
        '----',
        Buffer.concat([
          box('mean', Buffer.from(`\0\0\0\0${ITUNES}`)),
          box('name', Buffer.from(`\0\0\0\0${name}`)),
          data(TEXT, Buffer.from(value)),
        ]),
      ),
    ),
  ]);
}

function nameOfFreeForm(item: Mp4Box): string | null {
  const name = readBoxes(item.body).find(({ type }) => type === 'name');
  return name ? Buffer.from(name.body.subarray(4)).toString('utf8').toLowerCase() : null;
}

/** The format stores whole beats per minute. */
function tempoData(bpm: number): Uint8Array {
  const value = Buffer.alloc(2);
  value.writeUInt16BE(Math.round(bpm));
  return data(INTEGER, value);
}

function data(type: number, value: Uint8Array): Uint8Array {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(type);
  return box('data', Buffer.concat([head, value]));
}

/** Adjusts, in place, the chunk offsets in `moov` that point behind the old `moov`. */
function shiftChunks(moov: Uint8Array, shift: { fromByte: number; byBytes: number }): void {
  if (shift.byBytes === 0) return;
  for (const track of childrenOf(moov, 'trak')) {
    for (const type of ['stco', 'co64']) {
      const table = ['mdia', 'minf', 'stbl', type].reduce<Uint8Array | undefined>(
        (parent, inside) => (parent ? childrenOf(parent, inside)[0] : undefined),
        track,
      );
      if (table) shiftTable(table, type === 'co64', shift);
    }
  }
}

function childrenOf(parent: Uint8Array, type: string): Uint8Array[] {
  const [self] = readBoxes(parent);
  return readBoxes(self!.body)
    .filter((child) => child.type === type)
    .map(({ bytes }) => bytes);
}

function shiftTable(
  table: Uint8Array,
  wide: boolean,
  { fromByte, byBytes }: { fromByte: number; byBytes: number },
): void {
  const view = new DataView(table.buffer, table.byteOffset, table.byteLength);
  const headBytes = 16;
  if (table.length < headBytes) throw new TagsUnavailable('its boxes are damaged');
  const entryBytes = wide ? 8 : 4;
  const count = Math.min(view.getUint32(12), Math.floor((table.length - headBytes) / entryBytes));
  for (let index = 0; index < count; index++) {
    const at = headBytes + index * entryBytes;
    const offset = wide ? Number(view.getBigUint64(at)) : view.getUint32(at);
    if (offset < fromByte) continue;
    if (wide) view.setBigUint64(at, BigInt(offset + byBytes));
    else if (offset + byBytes < 2 ** 32) view.setUint32(at, offset + byBytes);
    else throw new TagsUnavailable('it is too large for its own table of contents');
  }
}
