import type { PcmEncoding } from '../codecs/pcm.ts';

/** The uncompressed formats that QuickTime and AIFF-C share, by their code. A width is given where the code implies one. */
export const QUICKTIME_PCM: Record<string, Partial<PcmEncoding>> = {
  sowt: { kind: 'signed', bigEndian: false },
  twos: { kind: 'signed', bigEndian: true },
  'raw ': { kind: 'unsigned' },
  in24: { kind: 'signed', bytesPerSample: 3, bigEndian: true },
  in32: { kind: 'signed', bytesPerSample: 4, bigEndian: true },
  fl32: { kind: 'float', bytesPerSample: 4, bigEndian: true },
  fl64: { kind: 'float', bytesPerSample: 8, bigEndian: true },
  alaw: { kind: 'alaw', bytesPerSample: 1 },
  ulaw: { kind: 'mulaw', bytesPerSample: 1 },
};
