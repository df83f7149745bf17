/**
 * Ogg (RFC 3533) with Vorbis, Opus (RFC 7845) or FLAC inside. Other streams multiplexed with the audio are ignored; chained streams are
 * joined if they have the same sample rate and channels.
 *
 * Granule positions give the start and the end of the audio: in Vorbis the first packet may start before zero, Opus has a pre-skip, and
 * both may end inside the last packet. They also show how many samples are missing after damage; silence takes their place, so that the
 * times of what follows stay true.
 */

import type { PacketDecoder } from '../codecs/packet-decoder.ts';
import { corrupt, unsupported } from '../decode-error.ts';
import {
  type AudioStream,
  newHealth,
  type Samples,
  type StreamHealth,
  sampleCountOf,
  silence,
  Trimmer,
} from '../stream/audio-stream.ts';
import type { ByteSource } from '../stream/file-bytes.ts';
import { identifyOggCodec, type OggCodec } from './ogg-codec.ts';
import { findLastGranule, OggPacketizer, type OggPage, readOggPages } from './ogg-pages.ts';

/** A longer gap is more likely a wrong granule position than lost audio. */
const GAP_SECONDS_MAX = 10;
/** Bounds the time for a file of tiny streams. Radio archives chain one stream per song, and a thousand songs last two days. */
const CHAINS_MAX = 1_000;

type AudioPage = { page: OggPage; samples: Samples };

/** One logical stream, its headers read. */
type Chain = {
  serial: number;
  codec: OggCodec;
  decoder: PacketDecoder;
  packetizer: OggPacketizer;
  /** The first page with audio, without the headers that may end on it. */
  firstAudio: AudioPage;
};

export async function openOgg(source: ByteSource): Promise<AudioStream> {
  const health = newHealth();
  const pages = new PageReader(readOggPages(source, health));
  const chain = await openChain(pages, health);
  if (!chain) {
    throw corrupt(
      health.truncated
        ? 'The Ogg file ends inside its headers.'
        : 'The Ogg file holds no Vorbis, Opus or FLAC audio.',
    );
  }
  const { decoder, firstAudio } = chain;
  const lastGranule = findLastGranule(source, chain.serial);
  // Not zero in a stream that was cut out of another, such as a recording of a radio station.
  const originGranule = Math.max(0, (firstAudio.page.granule ?? 0) - sampleCountOf(firstAudio.samples));
  return {
    container: 'Ogg',
    codec: decoder.codec,
    decoder: decoder.decoder,
    sampleRateHz: decoder.sampleRateHz,
    channelCount: decoder.channelCount,
    bitDepth: decoder.bitDepth,
    nominalBitRateBps: null,
    audioBytes: source.byteSize - firstAudio.page.position,
    declaredSamples:
      lastGranule === null ? null : Math.max(0, lastGranule - originGranule - chain.codec.preSkipSamples),
    blocks: decodeChains(pages, chain, health),
    health,
  };
}

class PageReader {
  readonly #pages: Iterator<OggPage, void>;
  #returned: OggPage | null = null;

  constructor(pages: Iterator<OggPage, void>) {
    this.#pages = pages;
  }

  next(): OggPage | null {
    const page = this.#returned ?? this.#pages.next().value ?? null;
    this.#returned = null;
    return page;
  }

  putBack(page: OggPage): void {
    this.#returned = page;
  }
}

/** The next stream with audio, read up to its first audio packet; null if the file ends before one. */
async function openChain(pages: PageReader, health: StreamHealth): Promise<Chain | null> {
  let headers: Uint8Array[] = [];
  let found: { serial: number; codec: OggCodec; packetizer: OggPacketizer } | null = null;
  for (let page = pages.next(); page; page = pages.next()) {
    // Multiplexed streams all begin before any of them continues its headers. So a stream that begins later is chained, and the one
    // before it had no audio.
    if (page.isFirstOfStream && headers.length > 0) {
      headers = [];
      found = null;
    }
    if (!found) {
      if (!page.isFirstOfStream) continue;
      const packetizer = new OggPacketizer();
      const [identification] = packetizer.packetsOf(page);
      const codec = identification ? identifyOggCodec(identification) : null;
      if (codec) found = { serial: page.serial, codec, packetizer };
      continue;
    }
    if (page.serial !== found.serial) continue;
    const packets = found.packetizer.packetsOf(page);
    while (packets[0] && found.codec.isHeader(packets[0], headers.length)) headers.push(packets.shift()!);
    if (packets.length > 0) {
      const decoder = await found.codec.create(headers);
      return { ...found, decoder, firstAudio: { page, samples: decodePackets(decoder, packets) } };
    }
  }
  health.truncated ||= found !== null;
  return null;
}

async function* decodeChains(pages: PageReader, first: Chain, health: StreamHealth): AsyncGenerator<Samples> {
  const { sampleRateHz, channelCount } = first.decoder;
  let chain: Chain | null = first;
  for (let count = 1; chain; count++) {
    const trimmer = new Trimmer(chain.codec.preSkipSamples, null);
    for (const block of decodeChain(chain, pages, health)) yield trimmer.trim(block);
    if (count === CHAINS_MAX) {
      health.truncated ||= pages.next() !== null;
      return;
    }
    chain = await openChain(pages, health);
    if (
      chain &&
      (chain.decoder.sampleRateHz !== sampleRateHz || chain.decoder.channelCount !== channelCount)
    ) {
      throw unsupported(
        'The Ogg file joins streams of different sample rates or channels; save it as one stream.',
      );
    }
  }
}

function* decodeChain(chain: Chain, pages: PageReader, health: StreamHealth): Generator<Samples> {
  const { decoder, packetizer } = chain;
  const gapSamplesMax = GAP_SECONDS_MAX * decoder.sampleRateHz;
  let decodedSamples = 0;
  /** The granule position of the first decoded sample; null until the first page with a granule position. */
  let originGranule: number | null = null;
  for (const { page, samples } of audioPages(chain, pages)) {
    const sampleCount = sampleCountOf(samples);
    const isUndamaged = decoder.damagedPackets + packetizer.gapCount === 0;
    decodedSamples += sampleCount;
    if (page.granule === null) {
      yield samples;
      continue;
    }
    if (originGranule === null) {
      originGranule = page.granule - decodedSamples;
      // Only Vorbis may start before zero. If this page is also the last, its granule position trims the end instead.
      if (originGranule < 0 && !page.isLastOfStream && decoder.codec === 'Vorbis') {
        const earlySamples = Math.min(sampleCount, -originGranule);
        yield samples.map((channel) => channel.subarray(earlySamples));
        continue;
      }
      originGranule = Math.max(0, originGranule);
    }
    const missingSamples: number = page.granule - originGranule - decodedSamples;
    if (page.isLastOfStream && missingSamples < 0) {
      yield samples.map((channel) => channel.subarray(0, Math.max(0, sampleCount + missingSamples)));
    } else {
      if (!isUndamaged && missingSamples > 0 && missingSamples <= gapSamplesMax) {
        yield silence(decoder.channelCount, missingSamples);
        decodedSamples += missingSamples;
      }
      yield samples;
    }
  }
  health.decodedPackets += decoder.decodedPackets;
  health.damagedPackets += decoder.damagedPackets + packetizer.gapCount;
}

/** The pages of this stream, up to its end or to the beginning of the next chained stream. */
function* audioPages(chain: Chain, pages: PageReader): Generator<AudioPage> {
  yield chain.firstAudio;
  if (chain.firstAudio.page.isLastOfStream) return;
  for (let page = pages.next(); page; page = pages.next()) {
    if (page.isFirstOfStream) {
      pages.putBack(page);
      return;
    }
    if (page.serial !== chain.serial) continue;
    yield { page, samples: decodePackets(chain.decoder, chain.packetizer.packetsOf(page)) };
    if (page.isLastOfStream) return;
  }
}

function decodePackets(decoder: PacketDecoder, packets: Uint8Array[]): Samples {
  return decoder.decode(packets.filter((packet) => packet.length > 0));
}
