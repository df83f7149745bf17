/** Describes the result in sentences. */

import { chartTonic } from '../chart-spelling.ts';
import { formatClock } from '../clock.ts';
import type { ResultDocument } from '../result-document.ts';
import { formatFigure } from './figure.ts';

/** From SURE a value "is", from LIKELY it is "probably", below that "perhaps". These and the stabilities are editorial, not measured. */
const SURE = 0.8;
const LIKELY = 0.55;
const MACHINE_STABILITY_MIN = 0.9;
const BREATHING_STABILITY_MAX = 0.5;
/** Smaller deviations from 440 Hz are near the limit of hearing (5 to 6 cents) and not worth a sentence. */
const TUNING_MENTION_MIN_CENTS = 8;
/** A smaller change of gain is hardly audible. */
const GAIN_MENTION_MIN_DB = 0.5;
/** The limit in the loudness recommendations for streaming (AES TD1004), which leaves room for the overshoots of lossy codecs. */
const TRUE_PEAK_DBTP_MAX = -1;
/** A longer row of letters is unreadable; an hour-long set has hundreds of sections. */
const FORM_SECTIONS_MAX = 32;
/** The tolerance of tempo evaluation (Gouyon et al., 2006): tempi that differ by less count as equal. */
const SAME_TEMPO_MAX_SHARE = 0.04;

export function describeResult(document: ResultDocument): string[] {
  return [
    describeTempo(document),
    describeKey(document),
    describeForm(document),
    describeLoudness(document),
    describeQuality(document),
  ].filter((sentence) => sentence !== null);
}

function describeTempo(document: ResultDocument): string | null {
  const { rhythm, bpm, bpm_confidence, time_signature, unavailable } = document;
  if (bpm === null) {
    const reason = unavailable['rhythm.bpm'] ?? unavailable.rhythm;
    return reason === undefined || reason === 'not_requested'
      ? null
      : `No tempo is given: ${inWords(reason, document)}.`;
  }
  const steadiness =
    rhythm?.stability == null
      ? ''
      : rhythm.stability > MACHINE_STABILITY_MIN
        ? ', steady as a machine'
        : rhythm.stability < BREATHING_STABILITY_MAX
          ? ', and it breathes'
          : '';
  // The list of alternatives begins with the tempo itself.
  const alternative = rhythm?.alternatives.find(
    (level) => Math.abs(level.bpm / bpm - 1) > SAME_TEMPO_MAX_SHARE,
  );
  const doubt =
    (bpm_confidence ?? 0) < SURE && alternative
      ? ` It could also be felt at ${alternative.bpm.toFixed(1)}.`
      : '';
  const meter = time_signature === null ? '' : ` in ${time_signature}/4`;
  return `The tempo is ${hedge(bpm_confidence)}${bpm.toFixed(1)} BPM${meter}${steadiness}.${doubt}`;
}

function describeKey(document: ResultDocument): string | null {
  const { tonal, key, scale, key_confidence, camelot, unavailable } = document;
  if (key === null || scale === null) {
    const reason = unavailable['tonal.key'] ?? unavailable.tonal;
    return reason === undefined || reason === 'not_requested'
      ? null
      : `No key is given: ${inWords(reason, document)}.`;
  }
  const [alternative] = (tonal?.alternatives ?? []).filter(
    (candidate) => candidate.key !== key || candidate.scale !== scale,
  );
  const doubt =
    (key_confidence ?? 0) < SURE && alternative
      ? ` ${chartTonic(alternative.key, alternative.scale)} ${alternative.scale} is the next best guess.`
      : '';
  const tuned =
    tonal?.tuning_cents == null || Math.abs(tonal.tuning_cents) < TUNING_MENTION_MIN_CENTS
      ? ''
      : ` It is tuned ${Math.abs(tonal.tuning_cents).toFixed(0)} cents ${tonal.tuning_cents > 0 ? 'above' : 'below'} 440 Hz.`;
  return `The key is ${hedge(key_confidence)}${chartTonic(key, scale)} ${scale}${camelot ? ` (${camelot} on the Camelot wheel)` : ''}.${doubt}${tuned}`;
}

function describeForm({ structure }: ResultDocument): string | null {
  const sections = structure?.sections ?? [];
  if (sections.length < 2) return null;
  const chorus = sections.find((section) => section.label === 'chorus');
  const where = chorus ? ` The first chorus seems to begin at ${formatClock(chorus.start_seconds)}.` : '';
  if (sections.length > FORM_SECTIONS_MAX) return `There are ${sections.length} sections.${where}`;
  const form = sections.map((section) => section.group).join('');
  return `The form reads ${form}, ${sections.length} sections in all.${where}`;
}

function describeLoudness({ loudness }: ResultDocument): string | null {
  if (!loudness || loudness.integrated_lufs === null) return null;
  const spotify = loudness.platforms.find((platform) => platform.platform === 'spotify');
  const change =
    spotify?.gain_db == null || Math.abs(spotify.gain_db) < GAIN_MENTION_MIN_DB
      ? 'Spotify will play it as it is'
      : `Spotify will turn it ${spotify.gain_db < 0 ? 'down' : 'up'} by ${Math.abs(spotify.gain_db).toFixed(1)} dB`;
  const peak =
    loudness.true_peak_dbtp !== null && loudness.true_peak_dbtp > TRUE_PEAK_DBTP_MAX
      ? ` Its true peak of ${formatFigure(loudness.true_peak_dbtp, 1)} dBTP is above the ${formatFigure(TRUE_PEAK_DBTP_MAX, 0)} that lossy encoding needs.`
      : '';
  return `It measures ${formatFigure(loudness.integrated_lufs, 1)} LUFS; ${change}.${peak}`;
}

function describeQuality({ quality }: ResultDocument): string | null {
  if (!quality) return null;
  const found = Object.entries(quality.event_counts)
    .filter(([kind, count]) => count > 0 && kind !== 'silence')
    .map(([kind, count]) => `${count} × ${kind}`);
  return [
    found.length === 0
      ? 'No clipping, clicks or dropouts were found.'
      : `Found in the recording: ${found.join(', ')}.`,
    ...describeFaults(quality),
  ].join(' ');
}

/** Of full scale: a mastering engineer would remove a larger offset. */
const DC_OFFSET_MENTION_MIN_SHARE = 0.005;
/** An imbalance of 3 dB is clearly heard as off centre. */
const IMBALANCE_MENTION_MIN_DB = 3;

/** The faults of the whole recording. */
function describeFaults(quality: NonNullable<ResultDocument['quality']>): string[] {
  const { lossy_transcode, dc_offset, hum, stereo } = quality;
  const faults: string[] = [];
  if (lossy_transcode.verdict === 'likely' && lossy_transcode.cutoff_hz !== null) {
    const cutoffKhz = (lossy_transcode.cutoff_hz / 1000).toFixed(1);
    faults.push(`The spectrum ends at ${cutoffKhz} kHz, as lossy encoding leaves it.`);
  }
  const dcOffset = Math.max(...dc_offset.map(Math.abs));
  if (dcOffset >= DC_OFFSET_MENTION_MIN_SHARE)
    faults.push(`Its DC offset is ${(dcOffset * 100).toFixed(1)} % of full scale.`);
  if (hum) faults.push(`It hums at ${hum.frequency_hz} Hz, ${formatFigure(hum.level_dbfs, 1)} dBFS.`);
  if (stereo && Math.abs(stereo.imbalance_db) >= IMBALANCE_MENTION_MIN_DB) {
    const [louder, softer] = stereo.imbalance_db > 0 ? ['left', 'right'] : ['right', 'left'];
    const differenceDb = Math.abs(stereo.imbalance_db).toFixed(1);
    faults.push(`Its ${louder} channel is ${differenceDb} dB louder than its ${softer}.`);
  }
  if (stereo?.phase_inverted)
    faults.push(`Its channels are in opposite phase: ${stereo.mono_loss_db.toFixed(1)} dB are lost in mono.`);
  return faults;
}

function hedge(confidence: number | null): string {
  if (confidence === null || confidence >= SURE) return '';
  return confidence >= LIKELY ? 'probably ' : 'perhaps ';
}

const REASONS: Record<string, string> = {
  silence: 'the recording is silent',
  too_short: 'the recording is too short to tell',
  no_pulse: 'there is no steady pulse',
  outside_hint: 'the tempo lies outside the range that was asked for',
  no_pitched_content: 'there is nothing pitched enough to have a key',
  speech: 'this is speech',
  noise: 'this is noise',
};

function inWords(reason: string, { quality }: ResultDocument): string {
  if (reason === 'silence' && quality?.stereo?.phase_inverted)
    return 'its channels cancel each other in mono, where the music is heard';
  return REASONS[reason] ?? reason.replaceAll('_', ' ');
}
