export type { PcmBlock, PcmFormat } from './signal/pcm.ts';
export * from './result.ts';
