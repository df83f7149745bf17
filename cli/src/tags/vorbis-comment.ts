/** The comment block of FLAC, Vorbis and Opus (xiph.org/vorbis/doc/v-comment.html): case-insensitive names, values in UTF-8. */

import { namedFields, type SongTags, TagsUnavailable } from './song-tags.ts';

/** A value of null removes the field. */
export type CommentFields = readonly (readonly [name: string, value: string | null])[];

/** The key is written twice: KEY is MusicBrainz Picard's name for it, INITIALKEY that of DJ programs. */
export function commentFields(tags: SongTags): CommentFields {
  return [
    ...(tags.bpm === null ? [] : [['BPM', String(Math.round(tags.bpm))] as const]),
    ...(tags.key === null ? [] : (['KEY', 'INITIALKEY'] as const).map((name) => [name, tags.key!] as const)),
    ...(tags.genre === null ? [] : [['GENRE', tags.genre] as const]),
    ...namedFields(tags),
  ];
}

/** Sets these fields and keeps all others. Without a block it creates one. `rest` is the data after the comments. */
export function setComments(
  block: Uint8Array | null,
  fields: CommentFields,
): { comments: Uint8Array; rest: Uint8Array } {
  const old =
    block === null ? { vendor: Buffer.from('Earshot'), entries: [], rest: new Uint8Array(0) } : read(block);
  const names = new Set<string | null>(fields.map(([name]) => name.toUpperCase()));
  const kept = old.entries.filter((entry) => !names.has(nameOf(entry)));
  const added = fields.flatMap(([name, value]) => (value === null ? [] : [Buffer.from(`${name}=${value}`)]));
  const entries = [...kept, ...added];
  return {
    comments: Buffer.concat([
      withLength(old.vendor),
      littleEndian(entries.length),
      ...entries.map(withLength),
    ]),
    rest: old.rest,
  };
}

function read(block: Uint8Array): { vendor: Uint8Array; entries: Uint8Array[]; rest: Uint8Array } {
  const view = new DataView(block.buffer, block.byteOffset, block.byteLength);
  let at = 0;
  const readCount = () => {
    if (at + 4 > block.length) throw new TagsUnavailable('its comments are damaged');
    at += 4;
    return view.getUint32(at - 4, true);
  };
  const readPiece = () => {
    const bytes = readCount();
    if (at + bytes > block.length) throw new TagsUnavailable('its comments are damaged');
    at += bytes;
    return block.subarray(at - bytes, at);
  };
  const vendor = readPiece();
  const entries: Uint8Array[] = [];
  for (let leftCount = readCount(); leftCount > 0; leftCount--) entries.push(readPiece());
  return { vendor, entries, rest: block.subarray(at) };
}

/** In capitals; null for an entry without a name. */
function nameOf(entry: Uint8Array): string | null {
  const [, name] = /^([^=]*)=/.exec(Buffer.from(entry).toString('latin1')) ?? [];
  return name?.toUpperCase() ?? null;
}

function withLength(bytes: Uint8Array): Uint8Array {
  return Buffer.concat([littleEndian(bytes.length), bytes]);
}

function littleEndian(value: number): Uint8Array {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}
