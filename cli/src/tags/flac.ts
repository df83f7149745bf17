/** Writes BPM, key and ReplayGain into the VORBIS_COMMENT block of a FLAC file (RFC 9639, 8). */

import { type SongTags, TagsUnavailable } from './song-tags.ts';
import { commentFields, setComments } from './vorbis-comment.ts';

const COMMENT_BLOCK_TYPE = 4;
const LAST_BLOCK_FLAG = 0x80;
/** The length field of a block has 24 bits. */
const BLOCK_BYTES_MAX = 2 ** 24 - 1;

type Block = { type: number; body: Uint8Array };

export function tagFlac(file: Uint8Array, tags: SongTags): Uint8Array {
  const start = Buffer.from(file.buffer, file.byteOffset, file.byteLength).indexOf('fLaC');
  if (start < 0) throw new TagsUnavailable('it is not a FLAC file');
  const { blocks, audioStart } = readBlocks(file, start + 4);
  const old = blocks.find(({ type }) => type === COMMENT_BLOCK_TYPE);
  const { comments } = setComments(old?.body ?? null, commentFields(tags));
  if (comments.length > BLOCK_BYTES_MAX)
    throw new TagsUnavailable('its comments would be longer than a FLAC block can be');
  const comment: Block = { type: COMMENT_BLOCK_TYPE, body: comments };
  // STREAMINFO must stay the first block, so a new comment block becomes the second.
  const written = old
    ? blocks.map((block) => (block === old ? comment : block))
    : [...blocks.slice(0, 1), comment, ...blocks.slice(1)];
  return Buffer.concat([
    file.subarray(0, start + 4),
    ...written.flatMap((block, index) => [blockHeader(block, index === written.length - 1), block.body]),
    file.subarray(audioStart),
  ]);
}

function readBlocks(file: Uint8Array, start: number): { blocks: Block[]; audioStart: number } {
  const blocks: Block[] = [];
  for (let at = start, last = false; ; ) {
    if (last) return { blocks, audioStart: at };
    const first = file[at];
    const bodyBytes = ((file[at + 1] ?? 0) << 16) | ((file[at + 2] ?? 0) << 8) | (file[at + 3] ?? 0);
    if (first === undefined || at + 4 + bodyBytes > file.length)
      throw new TagsUnavailable('it ends too early');
    blocks.push({ type: first & 0x7f, body: file.subarray(at + 4, at + 4 + bodyBytes) });
    last = (first & LAST_BLOCK_FLAG) !== 0;
    at += 4 + bodyBytes;
  }
}

function blockHeader({ type, body }: Block, last: boolean): Uint8Array {
  const header = Buffer.alloc(4);
  header.writeUInt8(type | (last ? LAST_BLOCK_FLAG : 0));
  header.writeUIntBE(body.length, 1, 3);
  return header;
}
