import { DecodeError, unsupported } from '../decode-error.ts';
import { type AudioContainer, id3v2Bytes, SNIFF_BYTES, sniffFormat } from '../sniff-format.ts';
import type { AudioStream } from '../stream/audio-stream.ts';
import { type ByteSource, sliceSource } from '../stream/file-bytes.ts';

type Opener = (source: ByteSource) => Promise<AudioStream>;

/** Each container is loaded only when needed, because loading code takes most of the start-up time. */
const OPENERS: Record<AudioContainer, Opener> = {
  wav: async (source) => (await import('../containers/wav.ts')).openWav(source),
  aiff: async (source) => (await import('../containers/aiff.ts')).openAiff(source),
  caf: async (source) => (await import('../containers/caf.ts')).openCaf(source),
  au: async (source) => (await import('../containers/au.ts')).openAu(source),
  flac: async (source) => (await import('../containers/flac-stream.ts')).openFlacStream(source),
  mpeg: async (source) => (await import('../containers/mpeg-audio.ts')).openMpegAudio(source),
  adts: async (source) => (await import('../containers/adts.ts')).openAdts(source),
  ogg: async (source) => (await import('../containers/ogg.ts')).openOgg(source),
  mp4: async (source) => (await import('../containers/mp4.ts')).openMp4(source),
  matroska: async (source) => (await import('../containers/matroska.ts')).openMatroska(source),
  asf: async (source) => (await import('../containers/asf.ts')).openAsf(source),
  wavpack: async (source) => (await import('../containers/wavpack.ts')).openWavpack(source),
  tta: async (source) => (await import('../containers/tta.ts')).openTta(source),
  ac3: async (source) => (await import('../containers/byte-stream.ts')).openAc3(source),
  dts: async (source) => (await import('../containers/byte-stream.ts')).openDts(source),
};

type OpenedAudio = { container: AudioContainer; stream: AudioStream };

export async function openAudio(source: ByteSource): Promise<OpenedAudio> {
  const start = skipTags(source);
  // Positions stored in the file are relative to the file without the tag.
  const audio = start === 0 ? source : sliceSource(source, start, source.byteSize);
  const format = sniffFormat(audio.view(0, SNIFF_BYTES));
  if (format?.kind === 'refused') {
    throw unsupported(`This is ${format.name}, not an audio file that can be analysed.`);
  }
  // A file without a known signature may still be an MP3 behind padding or a broken tag.
  const container = format?.container ?? 'mpeg';
  try {
    return { container, stream: await OPENERS[container](audio) };
  } catch (error) {
    if (format || !(error instanceof DecodeError) || error.code === 'unsupported_format') throw error;
    throw unsupported('This is not an audio file of a known format.');
  }
}

/** Some taggers put a new tag before an old one. Sixteen are more than any real file has, and bound the work for a crafted one. */
const TAGS_MAX = 16;

function skipTags(source: ByteSource): number {
  let start = 0;
  for (let count = 0; count < TAGS_MAX; count++) {
    const tagBytes = id3v2Bytes(source.view(start, 10));
    if (tagBytes === null) break;
    start += tagBytes;
  }
  return start < source.byteSize ? start : 0;
}
