export {
  type AudioFileInfo,
  type AudioTags,
  type Damage,
  type DecodeSummary,
  NO_TAGS,
} from './audio-file-info.ts';
export { DECODE_ERROR_CODES, DecodeError, type DecodeErrorCode } from './decode-error.ts';
export { activeWalls, type DecodeOptions, type DecodeSession, decodeFile } from './decode-file.ts';
export type { DecodeLimits } from './limits.ts';
export { type AudioContainer, SNIFF_BYTES, type SniffedFormat, sniffFormat } from './sniff-format.ts';
export { missingWalls, SANDBOX_WALLS, type SandboxWall, WALL_MEANINGS } from './walls.ts';
