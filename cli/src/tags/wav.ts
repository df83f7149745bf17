/**
 * Writes BPM, key and ReplayGain into a WAV file, as an ID3v2 tag in the chunk "id3 " that DJ programs and players read; RIFF's INFO
 * list has no field for a key. All other chunks are copied; the tag is appended, so that no sample moves.
 */

import { tagMpeg } from './id3.ts';
import { type SongTags, TagsUnavailable } from './song-tags.ts';

const CHUNK_HEADER_BYTES = 8;
const RIFF_HEADER_BYTES = 12;
/** The size field of RIFF has 32 bits. */
const SIZE_BYTES_MAX = 2 ** 32 - 1;

export function tagWav(file: Uint8Array, tags: SongTags): Uint8Array {
  if (textAt(file, 0) !== 'RIFF')
    throw new TagsUnavailable('only plain WAV files can be tagged, not 64-bit or big-endian ones');
  const chunks = readChunks(file);
  const isTag = ({ id }: Chunk) => id.toLowerCase() === 'id3 ';
  const old = chunks.find(isTag);
  const tag = tagMpeg(
    old ? old.bytes.subarray(CHUNK_HEADER_BYTES, CHUNK_HEADER_BYTES + old.sizeBytes) : new Uint8Array(0),
    tags,
  );
  const body = Buffer.concat([
    ...chunks.filter((chunk) => !isTag(chunk)).map(({ bytes }) => padded(bytes)),
    chunkHeader('id3 ', tag.length),
    padded(tag),
  ]);
  const sizeBytes = 4 + body.length;
  if (sizeBytes > SIZE_BYTES_MAX) throw new TagsUnavailable('it would be longer than a WAV file can be');
  return Buffer.concat([chunkHeader('RIFF', sizeBytes), Buffer.from('WAVE'), body]);
}

type Chunk = { id: string; sizeBytes: number; bytes: Uint8Array };

function readChunks(file: Uint8Array): Chunk[] {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const chunks: Chunk[] = [];
  for (let at = RIFF_HEADER_BYTES; at + CHUNK_HEADER_BYTES <= file.length; ) {
    const sizeBytes = view.getUint32(at + 4, true);
    const end = at + CHUNK_HEADER_BYTES + sizeBytes;
    // An interrupted recording has a size of zero or the maximum: a tag after its data would be read as audio.
    if (end > file.length) throw new TagsUnavailable('it ends too early');
    chunks.push({ id: textAt(file, at), sizeBytes, bytes: file.subarray(at, end) });
    at = end + (sizeBytes % 2);
  }
  if (!chunks.some(({ id, sizeBytes }) => id === 'data' && sizeBytes > 0))
    throw new TagsUnavailable('its length is not declared');
  return chunks;
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
