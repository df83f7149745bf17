import { type ExportSource, sectionName } from './export-source.ts';

/**
 * An Audacity label file: a line of `start<TAB>end<TAB>text` per label, with six decimals; start equals end for a point. One file is one
 * label track, so sections, keys, chords, beats and quality events are together, ordered by time.
 */
export function writeAudacityLabels(source: ExportSource): string {
  const { structure, tonal, rhythm, quality } = source.document;
  const labels: Label[] = [
    ...(structure?.sections ?? []).map((s) => label(s.start_seconds, s.end_seconds, sectionName(s))),
    ...(tonal?.key_changes ?? []).map((k) => label(k.start_seconds, k.end_seconds, `${k.key} ${k.scale}`)),
    ...(tonal?.chords ?? []).map((c) => label(c.start_seconds, c.end_seconds, c.label)),
    ...(rhythm?.beats ?? []).map((b) =>
      label(b.time_seconds, b.time_seconds, `${b.bar + 1}.${b.beat_in_bar}`),
    ),
    ...(quality?.events ?? []).map((e) => label(e.start_seconds, e.end_seconds, e.kind)),
  ];
  labels.sort((a, b) => a.startSeconds - b.startSeconds || b.endSeconds - a.endSeconds);
  return labels.map((l) => `${l.startSeconds.toFixed(6)}\t${l.endSeconds.toFixed(6)}\t${l.text}\n`).join('');
}

type Label = { startSeconds: number; endSeconds: number; text: string };

/** A corrected group may contain any character, and a tab or a line break would end the label. */
function label(startSeconds: number, endSeconds: number, text: string): Label {
  return { startSeconds, endSeconds, text: text.replace(/\s/g, ' ') };
}
