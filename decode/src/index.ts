export type { AudioFileInfo, AudioTags, Damage, DecodeSummary } from './audio-file-info.ts';
export { DECODE_ERROR_CODES, DecodeError, type DecodeErrorCode } from './decode-error.ts';
export { activeWalls, type DecodeOptions, type DecodeSession, decodeFile } from './decode-file.ts';
export { DEFAULT_LIMITS, type DecodeLimits } from './limits.ts';
export type { SandboxWall } from './sandbox.ts';
export { type AudioContainer, SNIFF_BYTES, type SniffedFormat, sniffFormat } from './sniff-format.ts';
