/**
 * Reads tags with music-metadata. Crafted input makes that library loop (100 kB of 0xFF took 3 s), so it reads through a tokenizer that
 * throws once a budget of reads and bytes is used up: unlike a timeout, a budget gives a file the same tags every time. The tags found
 * by then are kept, and no file fails to decode because of its tags.
 */

import type { IAudioMetadata, IOptions } from 'music-metadata';
import { type AudioTags, NO_TAGS } from '../audio-file-info.ts';
import { safeText } from '../safe-text.ts';
import type { AudioContainer } from '../sniff-format.ts';
import type { ByteSource } from '../stream/file-bytes.ts';
import { createBudgetedTokenizer } from './tag-tokenizer.ts';

/** For the other containers music-metadata has no parser, or an unreliable one. */
const MIME_TYPES: Partial<Record<AudioContainer, string>> = {
  wav: 'audio/wav',
  aiff: 'audio/aiff',
  flac: 'audio/flac',
  mpeg: 'audio/mpeg',
  adts: 'audio/aac',
  ogg: 'audio/ogg',
  mp4: 'audio/mp4',
  matroska: 'audio/matroska',
  asf: 'audio/x-ms-asf',
  wavpack: 'audio/wavpack',
};

type FileTags = { tags: AudioTags; hasCoverArt: boolean };

const NO_FILE_TAGS: FileTags = { tags: NO_TAGS, hasCoverArt: false };

export async function readTags(source: ByteSource, container: AudioContainer): Promise<FileTags> {
  const mimeType = MIME_TYPES[container];
  if (!mimeType) return NO_FILE_TAGS;
  // Outside the try block: a missing library is a fault of the installation, not of the file.
  const { parseFromTokenizer } = await import('music-metadata');
  const tokenizer = await createBudgetedTokenizer(source, mimeType);
  let metadata: IAudioMetadata | null = null;
  const options: IOptions = {
    // The index lets it skip the audio; hours of WebM would exhaust the budget without it.
    mkvUseIndex: true,
    observer: (event) => {
      metadata = event.metadata;
    },
  };
  try {
    metadata = await parseFromTokenizer(tokenizer, options);
  } catch {
    // `metadata` holds what the observer received.
  }
  return metadata ? present(metadata) : NO_FILE_TAGS;
}

function present({ common, format }: IAudioMetadata): FileTags {
  const tags: AudioTags = {
    title: cleanText(common.title),
    artist: cleanText(common.artist),
    album: cleanText(common.album),
    albumArtist: cleanText(common.albumartist),
    composer: cleanText(common.composer),
    genre: cleanText(common.genre),
    year: numberWithin(common.year, 1, 9999),
    trackNumber: numberWithin(common.track?.no, 1, 99_999),
    discNumber: numberWithin(common.disk?.no, 1, 9_999),
    isrc: cleanText(common.isrc?.[0]),
    label: cleanText(common.label),
    copyright: cleanText(common.copyright),
    comment: cleanText(common.comment?.[0]?.text),
    language: cleanText(common.language),
    bpm: numberWithin(common.bpm, 1, 1_000),
    key: cleanText(common.key),
    replayGainTrackDb: numberWithin(common.replaygain_track_gain?.dB, -100, 100),
    replayGainTrackPeak: numberWithin(common.replaygain_track_peak?.ratio, 0, 100),
    encoder: cleanText(format.tool ?? common.encodedby),
  };
  return { tags, hasCoverArt: (common.picture?.length ?? 0) > 0 };
}

function cleanText(value: unknown): string | null {
  const joined = Array.isArray(value) ? value.filter((part) => typeof part === 'string').join('; ') : value;
  if (typeof joined !== 'string') return null;
  const clean = safeText(joined);
  return clean === '' ? null : clean;
}

/** Null outside of `min` to `max`, round numbers beyond which a tag is a mistake. */
function numberWithin(value: unknown, min: number, max: number): number | null {
  return typeof value === 'number' && value >= min && value <= max ? value : null;
}
