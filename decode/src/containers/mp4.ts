/**
 * MP4, M4A and QuickTime (ISO/IEC 14496-12). The index may be at the end of the file, which costs nothing when reading by position.
 * Encoder delay and padding are removed as the edit list or iTunes' own tag declares them.
 */

import type { AacDecoder } from '../codecs/aac.ts';
import { type CodecConfig, createPacketDecoder } from '../codecs/codec-config.ts';
import type { PacketDecoder } from '../codecs/packet-decoder.ts';
import { corrupt, noAudio } from '../decode-error.ts';
import { type AudioStream, newHealth, type StreamHealth } from '../stream/audio-stream.ts';
import { asciiOf, viewOf } from '../stream/binary.ts';
import type { ByteSource } from '../stream/file-bytes.ts';
import { findBox, readBoxes, readFileBoxes } from './mp4-boxes.ts';
import { readItunesGapless, readMp4Codec } from './mp4-codec.ts';
import { readFragmentPackets } from './mp4-fragments.ts';
import { type PacketPlace, readSampleTable, type SampleTable } from './mp4-samples.ts';
import { type PresentationWindow, streamPackets } from './packet-stream.ts';

/** Three hours of AAC need about 4 MB of tables; chapters and pictures may add to them. */
const MOOV_BYTES_MAX = 64 * 2 ** 20;
/** Far above the size of a packet in any codec: a larger size comes from a damaged table. */
const PACKET_BYTES_MAX = 16 * 2 ** 20;

type Track = {
  id: number | null;
  trak: Uint8Array;
  stbl: Uint8Array;
  /** MP4's timescale. */
  ticksPerSecond: number | null;
  config: CodecConfig;
};

export async function openMp4(source: ByteSource): Promise<AudioStream> {
  const { moov, isTruncated } = findMoov(source);
  const track = findAudioTrack(moov, isTruncated);
  const decoder = await createPacketDecoder(track.config);
  const isPcm = track.config.codec === 'pcm';
  const strideBytes = isPcm ? decoder.channelCount * (decoder.bitDepth! / 8) : null;
  const table = readSampleTable(track.stbl, strideBytes);
  const isFragmented = table.count === 0;
  const health = newHealth();
  if (!isFragmented && !table.isConsistent) health.damagedPackets++;
  const places = isFragmented ? readFragmentPackets(source, moov, track.id, health) : table.packets();
  return streamPackets({
    container: 'MP4',
    decoder,
    packets: readPackets(source, places, health),
    health,
    audioBytes: isFragmented ? source.byteSize : table.byteLength,
    window: () => presentationWindow(moov, track, decoder, isFragmented ? null : table),
  });
}

function findMoov(source: ByteSource): { moov: Uint8Array; isTruncated: boolean } {
  for (const box of readFileBoxes(source)) {
    if (box.type !== 'moov') continue;
    const length = box.end - box.bodyStart;
    if (length > MOOV_BYTES_MAX)
      throw corrupt('The index of the MP4 file is larger than any recording needs.');
    return { moov: source.view(box.bodyStart, length), isTruncated: box.isTruncated };
  }
  throw corrupt('The MP4 file has no index (moov); the recording or the upload may be incomplete.');
}

/** The first audio track with a known codec; failing that, the first audio track. */
function findAudioTrack(moov: Uint8Array, isTruncated: boolean): Track {
  let fallback: Track | null = null;
  let isDamaged = false;
  for (const { type, body: trak } of readBoxes(moov)) {
    if (type !== 'trak') continue;
    const handler = findBox(trak, 'mdia', 'hdlr');
    if (handler && asciiOf(handler.subarray(8, 12)) !== 'soun') continue;
    const stbl = findBox(trak, 'mdia', 'minf', 'stbl');
    const description = stbl ? findBox(stbl, 'stsd') : null;
    if (!handler || !stbl || !description) {
      isDamaged = true;
      continue;
    }
    const track = {
      id: readAfterDates(findBox(trak, 'tkhd')),
      trak,
      stbl,
      ticksPerSecond: readAfterDates(findBox(trak, 'mdia', 'mdhd')),
      config: readMp4Codec(description),
    };
    if (track.config.codec !== 'unknown') return track;
    fallback ??= track;
  }
  if (fallback) return fallback;
  if (isTruncated) throw corrupt('The MP4 file ends inside its index (moov); the upload may be incomplete.');
  throw isDamaged
    ? corrupt('The MP4 file does not say how its audio is coded.')
    : noAudio('The MP4 file holds no audio track.');
}

/**
 * The first word after the dates in a header: the track's id in tkhd, the timescale in mvhd and mdhd. The dates are wider in version 1.
 * Null if it is missing or 0.
 */
function readAfterDates(header: Uint8Array | null): number | null {
  const at = header?.[0] === 1 ? 20 : 12;
  return header && header.length >= at + 4 ? viewOf(header).getUint32(at) || null : null;
}

/**
 * A table of a few bytes can list four billion packets, beyond the end of the file or repeatedly at one place. So reading stops at the
 * first packet beyond the end, and after as many bytes as the file has.
 */
function* readPackets(
  source: ByteSource,
  places: Iterable<PacketPlace>,
  health: StreamHealth,
): Generator<Uint8Array> {
  let readBytes = 0;
  for (const { position, byteLength } of places) {
    if (byteLength === 0) continue;
    if (position >= source.byteSize) {
      health.truncated = true;
      return;
    }
    if (byteLength > PACKET_BYTES_MAX) {
      health.damagedPackets++;
      continue;
    }
    const packet = source.view(position, byteLength);
    readBytes += byteLength;
    if (packet.length < byteLength || readBytes > source.byteSize) {
      health.truncated = true;
      return;
    }
    yield packet;
  }
}

function presentationWindow(
  moov: Uint8Array,
  track: Track,
  decoder: PacketDecoder,
  table: SampleTable | null,
): PresentationWindow {
  const samplesPerTick = track.ticksPerSecond ? decoder.sampleRateHz / track.ticksPerSecond : 0;
  const mediaSamples = Math.round((table?.durationTicks ?? 0) * samplesPerTick) || null;
  const itunes = readItunesGapless(moov);
  const edit = track.ticksPerSecond ? readEdit(track.trak, readAfterDates(findBox(moov, 'mvhd'))) : null;
  const aac = track.config.codec === 'aac' ? (decoder as AacDecoder) : null;
  // iTunes does not count the delay of SBR; edit lists of Fraunhofer's encoder do.
  const startSamples = itunes
    ? itunes.delaySamples + (aac?.sbrDelaySamples() ?? 0)
    : edit
      ? Math.round(edit.startTicks * samplesPerTick)
      : headerDelaySamples(track.config);
  let unpaddedSamples = mediaSamples === null ? null : Math.max(0, mediaSamples - startSamples);
  let keepSamples: number | null = null;
  if (itunes) unpaddedSamples = itunes.samples;
  else if (edit?.durationSeconds && table) {
    const editedSamples = Math.round(edit.durationSeconds * decoder.sampleRateHz);
    // The edit list often counts in milliseconds: a difference of less than one tick is rounding.
    const tickSamples = Math.ceil(edit.tickSeconds * decoder.sampleRateHz);
    const isShortened = unpaddedSamples === null || editedSamples < unpaddedSamples - tickSamples;
    keepSamples = isShortened ? editedSamples : editedSamples + tickSamples;
    if (isShortened) unpaddedSamples = null;
  }
  const skipSamples = startSamples - (aac?.outputOffsetSamples() ?? 0);
  return {
    // Without an edit list or a tag the start of the music is unknown, and no silence is added.
    skipSamples: itunes || edit ? skipSamples : Math.max(0, skipSamples),
    keepSamples,
    unpaddedSamples,
    declaredSamples: unpaddedSamples ?? keepSamples,
  };
}

/** The encoder delay in the codec's own header (dOps), used if there is no edit list. Players apply it for Opus only. */
function headerDelaySamples(config: CodecConfig): number {
  return config.codec === 'opus' ? viewOf(config.fields).getUint16(1, config.littleEndian) : 0;
}

/** The one edit that plays media; null if there are several, in which case the whole media is played. */
function readEdit(
  trak: Uint8Array,
  movieTicksPerSecond: number | null,
): { startTicks: number; durationSeconds: number; tickSeconds: number } | null {
  const body = findBox(trak, 'edts', 'elst');
  if (!body || body.length < 8 || movieTicksPerSecond === null) return null;
  const view = viewOf(body);
  const isWide = body[0] === 1;
  const entryBytes = isWide ? 20 : 12;
  const count = Math.min(view.getUint32(4), Math.floor((body.length - 8) / entryBytes));
  const edits = Array.from({ length: count }, (_, i) => {
    const at = 8 + i * entryBytes;
    return isWide
      ? { movieTicks: Number(view.getBigUint64(at)), startTicks: Number(view.getBigInt64(at + 8)) }
      : { movieTicks: view.getUint32(at), startTicks: view.getInt32(at + 4) };
  }).filter(({ startTicks }) => startTicks >= 0);
  const [only] = edits;
  if (!only || edits.length > 1) return null;
  return {
    startTicks: only.startTicks,
    durationSeconds: only.movieTicks / movieTicksPerSecond,
    tickSeconds: 1 / movieTicksPerSecond,
  };
}
