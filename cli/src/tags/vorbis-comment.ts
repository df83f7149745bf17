/** The comment block that FLAC, Vorbis and Opus share (xiph.org/vorbis/doc/v-comment.html): names in any case, values in UTF-8. */

import { TagsUnavailable } from './song-tags.ts';

/** A field without a value is taken out. */
export type CommentFields = readonly (readonly [name: string, value: string | null])[];

/** Sets these fields and leaves every other as it is; without a block, begins a new one. `rest` is what followed the comments. */
export function setComments(
  block: Uint8Array | null,
  fields: CommentFields,
): { comments: Uint8Array; rest: Uint8Array } {
  const old =
    block === null ? { vendor: Buffer.from('Earshot'), entries: [], rest: new Uint8Array(0) } : read(block);
  const names = new Set(fields.map(([name]) => name.toUpperCase()));
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
  const count = () => {
    if (at + 4 > block.length) throw new TagsUnavailable('its comments are damaged');
    at += 4;
    return view.getUint32(at - 4, true);
  };
  const piece = () => {
    const size = count();
    if (at + size > block.length) throw new TagsUnavailable('its comments are damaged');
    at += size;
    return block.subarray(at - size, at);
  };
  const vendor = piece();
  const entries: Uint8Array[] = [];
  for (let left = count(); left > 0; left--) entries.push(piece());
  return { vendor, entries, rest: block.subarray(at) };
}

function nameOf(entry: Uint8Array): string {
  const text = Buffer.from(entry).toString('latin1');
  return text.slice(0, Math.max(0, text.indexOf('='))).toUpperCase();
}

function withLength(bytes: Uint8Array): Uint8Array {
  return Buffer.concat([littleEndian(bytes.length), bytes]);
}

function littleEndian(value: number): Uint8Array {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}
