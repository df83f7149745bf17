/**
 * Writes BPM, key and gain into the comment packet of Ogg Vorbis and Ogg Opus. Because the packet changes its length, the header
 * pages are rebuilt and all later pages of the stream renumbered (RFC 3533); audio packets stay unchanged.
 */

import { type OggPage, readPages, SEGMENT_BYTES_MAX, writePackets, writePage } from './ogg-pages.ts';
import { type SongTags, TagsUnavailable } from './song-tags.ts';
import { type CommentFields, commentFields, setComments } from './vorbis-comment.ts';

type Codec = {
  start: string;
  headerPacketCount: number;
  comment: string;
  fields: (tags: SongTags) => CommentFields;
};

/** From the reference loudness of ReplayGain, -18 LUFS, to that of R128_TRACK_GAIN, -23 LUFS (RFC 7845, 5.2.1; EBU R 128). */
const OPUS_GAIN_STEP_DB = -5;

const CODECS: readonly Codec[] = [
  { start: '\x01vorbis', headerPacketCount: 3, comment: '\x03vorbis', fields: commentFields },
  {
    start: 'OpusHead',
    headerPacketCount: 2,
    comment: 'OpusTags',
    fields: (tags) => [...commentFields({ ...tags, replayGain: null }), ...opusGainFields(tags)],
  },
];

/**
 * R128_TRACK_GAIN is in units of 1/256 dB relative to -23 LUFS, and ReplayGain fields should not accompany it (RFC 7845, 5.2.1). An
 * album's ReplayGain is kept nevertheless, because one song gives no value to replace it.
 */
function opusGainFields({ replayGain }: SongTags): CommentFields {
  if (replayGain === null) return [];
  return [
    ['R128_TRACK_GAIN', String(Math.round(256 * (replayGain.gainDb + OPUS_GAIN_STEP_DB)))],
    ['REPLAYGAIN_TRACK_GAIN', null],
    ['REPLAYGAIN_TRACK_PEAK', null],
  ];
}

export function tagOgg(file: Uint8Array, tags: SongTags): Uint8Array {
  const pages = readPages(file);
  const serial = pages[0]?.serial;
  const identification = pages[0]?.body ?? new Uint8Array(0);
  const codec = CODECS.find(({ start }) => startsWith(identification, start));
  if (!codec) throw new TagsUnavailable('in Ogg files, only Vorbis and Opus can be tagged');
  const { packets, pageCount } = readHeaderPackets(pages, codec);
  const [comment, ...others] = packets;
  const { comments, rest } = setComments(comment!.subarray(codec.comment.length), codec.fields(tags));
  const rewritten = Buffer.concat([Buffer.from(codec.comment, 'latin1'), comments, rest]);
  const headerPages = writePackets([rewritten, ...others], {
    serial: serial!,
    firstSequence: pages[0]!.sequence + 1,
  });
  const addedPageCount = headerPages.length - (pageCount - 1);
  return Buffer.concat([
    file.subarray(0, pages[0]!.end),
    ...headerPages,
    ...pages
      .slice(pageCount)
      .map((page) =>
        page.serial === serial && addedPageCount !== 0
          ? writePage({ ...page, sequence: page.sequence + addedPageCount })
          : file.subarray(page.start, page.end),
      ),
  ]);
}

/** The header packets after the first, which has its own page. Audio must begin on a new page. */
function readHeaderPackets(
  pages: readonly OggPage[],
  codec: Codec,
): { packets: Uint8Array[]; pageCount: number } {
  const packets: Uint8Array[] = [];
  let open: Uint8Array[] = [];
  for (const [index, page] of pages.entries()) {
    if (index === 0) continue;
    if (page.serial !== pages[0]!.serial) throw new TagsUnavailable('several streams lie side by side in it');
    let at = 0;
    for (const size of page.segments) {
      open.push(page.body.subarray(at, at + size));
      at += size;
      if (size === SEGMENT_BYTES_MAX) continue;
      packets.push(Buffer.concat(open));
      open = [];
    }
    if (packets.length < codec.headerPacketCount - 1) continue;
    if (
      packets.length > codec.headerPacketCount - 1 ||
      open.length > 0 ||
      !startsWith(packets[0]!, codec.comment)
    )
      break;
    return { packets, pageCount: index + 1 };
  }
  throw new TagsUnavailable('its headers are damaged');
}

function startsWith(bytes: Uint8Array, text: string): boolean {
  return Buffer.from(bytes.subarray(0, text.length)).toString('latin1') === text;
}
