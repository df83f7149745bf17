import type { Result } from '../result.ts';

const LOSSY_CODECS = /mp3|mpeg|aac|ac-?3|dts|vorbis|opus|wma|adpcm/i;

/**
 * Whether a file without loss was made from one with: null when it cannot be said, and for files that are lossy themselves, in which
 * the traces of an encoder are no finding.
 */
export function lossyOrigin({ quality, file }: Pick<Result, 'quality' | 'file'>): string | null {
  if (!quality || file?.codec == null || LOSSY_CODECS.test(file.codec)) return null;
  const { verdict } = quality.lossy_transcode;
  return verdict === 'unknown' ? null : verdict;
}
