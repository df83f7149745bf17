/**
 * Tags, by music-metadata, which loops over crafted input (100 kB of 0xFF took it 3 s): it reads through a tokenizer that
 * counts, and stops it when a count is used up. Counts and not clocks, so that a file has the same tags every time. What
 * had been found by then is kept; nothing that happens here fails the decode.
 */

import type { IAudioMetadata, IOptions } from 'music-metadata';
import { type AudioTags, NO_TAGS } from '../audio-file-info.ts';
import { safeText } from '../safe-text.ts';
import type { AudioContainer } from '../sniff-format.ts';
import type { ByteSource } from '../stream/file-bytes.ts';
import { createBudgetedTokenizer } from './tag-tokenizer.ts';

/** Parsers for the others do not exist, or are worse than none. */
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

export type FileTags = { tags: AudioTags; hasCoverArt: boolean };

export async function readTags(source: ByteSource, container: AudioContainer): Promise<FileTags> {
  const mimeType = MIME_TYPES[container];
  const isWave64 = container === 'wav' && source.view(0, 1)[0] === 0x72;
  if (!mimeType || isWave64) return { tags: NO_TAGS, hasCoverArt: false };
  let metadata: IAudioMetadata | null = null;
  try {
    const { parseFromTokenizer } = await import('music-metadata');
    const tokenizer = await createBudgetedTokenizer(source, mimeType);
    const options: IOptions = {
      mkvUseIndex: true,
      observer: (event) => {
        metadata = event.metadata as IAudioMetadata;
      },
    };
    metadata = await parseFromTokenizer(tokenizer, options);
  } catch {
    // `metadata` holds what the observer saw.
  }
  return metadata ? present(metadata) : { tags: NO_TAGS, hasCoverArt: false };
}

function present({ common, format }: IAudioMetadata): FileTags {
  const tags: AudioTags = {
    title: text(common.title),
    artist: text(common.artist),
    album: text(common.album),
    albumArtist: text(common.albumartist),
    composer: text(common.composer),
    genre: text(common.genre),
    year: number(common.year, 1, 9999),
    trackNumber: number(common.track?.no, 1, 99_999),
    discNumber: number(common.disk?.no, 1, 9_999),
    isrc: text(common.isrc?.[0]),
    label: text(common.label),
    copyright: text(common.copyright),
    comment: text(common.comment?.[0]?.text),
    language: text(common.language),
    bpm: number(common.bpm, 1, 1_000),
    key: text(common.key),
    replayGainTrackDb: number(common.replaygain_track_gain?.dB, -100, 100),
    replayGainTrackPeak: number(common.replaygain_track_peak?.ratio, 0, 100),
    encoder: text(format?.tool ?? common.encodedby),
  };
  return { tags, hasCoverArt: (common.picture?.length ?? 0) > 0 };
}

function text(value: unknown): string | null {
  const joined = Array.isArray(value) ? value.filter((part) => typeof part === 'string').join('; ') : value;
  if (typeof joined !== 'string') return null;
  const clean = safeText(joined);
  return clean === '' ? null : clean;
}

function number(value: unknown, min: number, max: number): number | null {
  return typeof value === 'number' && value >= min && value <= max ? value : null;
}
