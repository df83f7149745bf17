/**
 * Writes BPM, key and ReplayGain into a WAV file, as an ID3v2 tag in the chunk "id3 " that DJ programs and players read; RIFF's INFO
 * list has no field for a key. All other chunks are copied, and the tag follows them.
 */

import { tagMpeg } from './id3.ts';
import { type SongTags, TagsUnavailable } from './song-tags.ts';

const CHUNK_HEADER_BYTES = 8;
const RIFF_HEADER_BYTES = 12;
/** Before one of these the padding may be missing: the decoder reads such files too (decode/src/containers/wav.ts). */
const COMMON_CHUNK = /^(fmt |data|fact|LIST|JUNK|bext|iXML|cue |smpl|PEAK|id3 |ID3 )$/;

export function tagWav(file: Uint8Array, tags: SongTags): Uint8Array {
  if (textAt(file, 0) !== 'RIFF')
    throw new TagsUnavailable('only plain WAV files can be tagged, not 64-bit or big-endian ones');
  const { chunks, rest } = readChunks(file);
  const isTag = ({ id }: Chunk) => id.toLowerCase() === 'id3 ';
  const old = chunks.find(isTag);
  const tag = tagMpeg(old ? old.bytes.subarray(CHUNK_HEADER_BYTES) : new Uint8Array(0), tags);
  const body = Buffer.concat([
    ...chunks.filter((chunk) => !isTag(chunk)).map(({ bytes }) => padded(bytes)),
    chunkHeader('id3 ', tag.length),
    padded(tag),
  ]);
  return Buffer.concat([chunkHeader('RIFF', 4 + body.length), Buffer.from('WAVE'), body, rest]);
}

type Chunk = { id: string; bytes: Uint8Array };

/** `rest` is what follows the chunks and belongs to none, such as an ID3v1 tag. */
function readChunks(file: Uint8Array): { chunks: Chunk[]; rest: Uint8Array } {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  // An interrupted recording declares a length of zero, or of more than there is.
  const riffBytes = view.getUint32(4, true) || Number.POSITIVE_INFINITY;
  let restAt = Math.min(CHUNK_HEADER_BYTES + riffBytes, file.length);
  const chunks: Chunk[] = [];
  for (let at = RIFF_HEADER_BYTES; at + CHUNK_HEADER_BYTES <= restAt; ) {
    const sizeBytes = view.getUint32(at + 4, true);
    const end = at + CHUNK_HEADER_BYTES + sizeBytes;
    // The data of such a recording may declare the same: a tag after it would be read as audio.
    if (end > file.length) throw new TagsUnavailable('it ends too early');
    chunks.push({ id: textAt(file, at), bytes: file.subarray(at, end) });
    const isPadded = sizeBytes % 2 === 1 && !COMMON_CHUNK.test(textAt(file, end));
    at = end + (isPadded ? 1 : 0);
    // Not every recorder pads the last chunk, or counts its padding; some count it and leave it out.
    restAt = Math.max(restAt, file[end] === 0 ? at : end);
    const isLast = at + CHUNK_HEADER_BYTES > restAt;
    if (isPadded && file[end] !== 0 && !isLast && !COMMON_CHUNK.test(textAt(file, at)))
      throw new TagsUnavailable('padding is missing between its chunks');
    if (isPadded && file[end] !== 0 && isLast) restAt = end;
  }
  if (!chunks.some(({ id, bytes }) => id === 'data' && bytes.length > CHUNK_HEADER_BYTES))
    throw new TagsUnavailable('its length is not declared');
  return { chunks, rest: file.subarray(restAt) };
}

function textAt(file: Uint8Array, at: number): string {
  return String.fromCharCode(...file.subarray(at, at + 4));
}

function chunkHeader(id: string, sizeBytes: number): Uint8Array {
  const header = Buffer.alloc(CHUNK_HEADER_BYTES);
  header.write(id, 'latin1');
  header.writeUInt32LE(sizeBytes, 4);
  return header;
}

/** Chunks begin at even offsets. */
function padded(bytes: Uint8Array): Uint8Array {
  return bytes.length % 2 === 0 ? bytes : Buffer.concat([bytes, Buffer.alloc(1)]);
}
