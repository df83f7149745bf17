import { chartKey } from '../chart-spelling.ts';
import { formatClock } from '../clock.ts';
import type { CorrectionKind } from '../corrections/corrections.ts';
import type { ResultDocument } from '../result-document.ts';
import { formatFigure } from './figure.ts';

/** One of the main figures. `note` is its confidence, its Camelot code, or that it was corrected. */
export type Tile = { label: string; value: string; note: string | null };

export function headlineOf(document: ResultDocument): Tile[] {
  const isCorrected = (kind: CorrectionKind) => document.corrections?.kinds.includes(kind) ?? false;
  const noteOn = (kind: CorrectionKind, confidence: number | null) =>
    isCorrected(kind) ? 'corrected by hand' : formatConfidence(confidence);
  const keyNotes = [document.camelot, noteOn('key', document.key_confidence)].filter((note) => note !== null);
  return [
    {
      label: 'Tempo',
      value: document.bpm === null ? '–' : `${document.bpm.toFixed(2)} BPM`,
      note: noteOn('tempo', document.bpm_confidence),
    },
    {
      label: 'Key',
      value: document.key_notation === null ? '–' : chartKey(document.key_notation),
      note: keyNotes.length === 0 ? null : keyNotes.join(', '),
    },
    {
      label: 'Meter',
      value: document.time_signature === null ? '–' : `${document.time_signature}/4`,
      note: noteOn('bars', null),
    },
    { label: 'Loudness', value: formatLevel(document.loudness_lufs, 'LUFS'), note: null },
    { label: 'True peak', value: formatLevel(document.true_peak_dbtp, 'dBTP'), note: null },
    ...genreOf(document),
    ...voiceOf(document),
    { label: 'Length', value: formatClock(document.duration_seconds), note: null },
  ];
}

/** The most likely genre, if there is one. */
function genreOf({ tags }: ResultDocument): Tile[] {
  const first = tags?.genres[0];
  if (first === undefined) return [];
  return [{ label: 'Genre', value: first.label, note: formatConfidence(first.confidence) }];
}

/** How much of the time is sung, rapped or spoken, if that was analysed. */
function voiceOf({ content }: ResultDocument): Tile[] {
  const share = content?.voice_presence ?? null;
  return share === null ? [] : [{ label: 'Voice', value: formatShareOfTime(share), note: null }];
}

function formatShareOfTime(share: number): string {
  if (share === 0) return 'none';
  return share < 0.01 ? 'less than 1 % of the time' : `${Math.round(share * 100)} % of the time`;
}

function formatConfidence(confidence: number | null): string | null {
  return confidence === null ? null : `${Math.round(confidence * 100)} % sure`;
}

function formatLevel(level: number | null, unit: string): string {
  return level === null ? '–' : `${formatFigure(level, 1)} ${unit}`;
}
