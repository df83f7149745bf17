/** The four-byte header of MPEG-1/2/2.5 audio, layers I to III (ISO/IEC 11172-3, 13818-3). */

export type MpegHeader = {
  /** 1, 2 or 2.5. */
  version: number;
  layer: 1 | 2 | 3;
  sampleRateHz: number;
  channelCount: 1 | 2;
  sampleCount: number;
  bitRateBps: number;
  byteLength: number;
  /** The length of the side information in layer III, between the header and a Xing tag. */
  sideInfoBytes: number;
};

const BIT_RATES_KBPS: Record<string, number[]> = {
  '1-1': [0, 32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
  '1-2': [0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
  '1-3': [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  '2-1': [0, 32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
  '2-2': [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
  '2-3': [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
};

const LAYERS = [null, 3, 2, 1] as const;
const VERSIONS = [2.5, null, 2, 1] as const;

/** Null if these four bytes are not a header, or one of the free format, which does not declare the packet length. */
export function parseMpegHeader(bytes: Uint8Array, at: number): MpegHeader | null {
  if (at + 4 > bytes.length || bytes[at] !== 0xff || (bytes[at + 1]! & 0xe0) !== 0xe0) return null;
  const [, flags, rates, modes] = bytes.subarray(at, at + 4) as unknown as [number, number, number, number];
  const version = VERSIONS[(flags >> 3) & 3] ?? null;
  const layer = LAYERS[(flags >> 1) & 3] ?? null;
  const baseRateHz = [44100, 48000, 32000][(rates >> 2) & 3];
  const bitRateKbps = BIT_RATES_KBPS[`${version === 1 ? 1 : 2}-${layer}`]?.[rates >> 4];
  const isEmphasisReserved = (modes & 3) === 2;
  if (!version || !layer || !baseRateHz || !bitRateKbps || isEmphasisReserved) return null;

  const sampleRateHz = version === 1 ? baseRateHz : version === 2 ? baseRateHz / 2 : baseRateHz / 4;
  const isHalved = layer === 3 && version !== 1;
  /** Of four bytes in layer I, of one in the others. */
  const paddingSlots = (rates >> 1) & 1;
  const channelCount = modes >> 6 === 3 ? 1 : 2;
  const bitRateBps = bitRateKbps * 1000;
  const byteLength =
    layer === 1
      ? (Math.floor((12 * bitRateBps) / sampleRateHz) + paddingSlots) * 4
      : Math.floor(((isHalved ? 72 : 144) * bitRateBps) / sampleRateHz) + paddingSlots;
  return {
    version,
    layer,
    sampleRateHz,
    channelCount,
    bitRateBps,
    sampleCount: layer === 1 ? 384 : isHalved ? 576 : 1152,
    byteLength,
    sideInfoBytes: version === 1 ? (channelCount === 1 ? 17 : 32) : channelCount === 1 ? 9 : 17,
  };
}

/** Whether these four bytes are a header of the free format: its bit rate has index 0 and is undeclared. */
export function isFreeFormatHeader(bytes: Uint8Array, at: number): boolean {
  const header = bytes.slice(at, at + 4);
  if (header.length < 4 || header[2]! >> 4 !== 0) return false;
  header[2]! |= 0x10;
  return parseMpegHeader(header, 0) !== null;
}

/** Whether two headers can belong to one stream. The channel count may change: both decoders allow it. */
export function isSameStream(a: MpegHeader, b: MpegHeader): boolean {
  return a.version === b.version && a.layer === b.layer && a.sampleRateHz === b.sampleRateHz;
}
