import type { Damage } from '../audio-file-info.ts';
import { corrupt, noAudio } from '../decode-error.ts';
import type { AudioStream } from '../stream/audio-stream.ts';

/** All three limits are promised in docs/formats-supported.md. With less than half of its audio, a file is broken rather than cut short. */
const SHARE_OF_SAMPLES_MIN = 0.5;
const SHARE_OF_PACKETS_MIN = 0.5;
/** A few implausible samples are a glitch; more than one in a hundred mean that noise was decoded as music. */
const SHARE_OF_IMPLAUSIBLE_MAX = 0.01;

/**
 * Judges a stream after its end: throws if it is too damaged, otherwise returns its damage, or null if it is intact. The rules use
 * counts only, so the same file always gets the same verdict.
 */
export function judgeStream(
  stream: AudioStream,
  output: { decodedSamples: number; nonFiniteSamples: number },
): Damage | null {
  const { decodedPackets, damagedPackets, truncated } = stream.health;
  const { decodedSamples, nonFiniteSamples } = output;
  if (decodedSamples === 0) {
    if (damagedPackets > 0 || truncated) throw corrupt('None of the audio in the file could be decoded.');
    throw noAudio('The file holds no audio: it decodes to zero samples.');
  }
  if (nonFiniteSamples > SHARE_OF_IMPLAUSIBLE_MAX * decodedSamples * stream.channelCount) {
    throw corrupt('The audio is damaged: it decodes to values far beyond full scale.');
  }
  if (decodedPackets < SHARE_OF_PACKETS_MIN * (decodedPackets + damagedPackets)) {
    throw corrupt('More than half of the audio in the file is damaged.');
  }
  if (decodedSamples < SHARE_OF_SAMPLES_MIN * (stream.declaredSamples ?? 0)) {
    throw corrupt('Less than half of the audio the file declares is in it; the upload may be incomplete.');
  }
  return damagedPackets > 0 || truncated ? { damagedPackets, truncated } : null;
}
