/** The part of docs/accuracy.md about real recordings: by genre, with intervals, and compared with other programs on the same clips. */

import { bootstrapMean } from './metrics/bootstrap.ts';
import { formatInterval } from './page-figures.ts';
import type { ScoreFile } from './score-file.ts';
import type { ScoreName } from './score-song.ts';

export const RECORDINGS_CORPUS = 'gtzan';
/** The `--peer` name under which the estimates of an earlier Earshot were scored. */
const BEFORE = 'earshot-before';
const WORST_COUNT = 20;

const COLUMNS: readonly [ScoreName, string][] = [
  ['beat_f', 'beats F'],
  ['cmlt', 'CMLt'],
  ['amlt', 'AMLt'],
  ['downbeat_f', 'downbeats F'],
  ['tempo_accuracy_1', 'tempo 1'],
  ['tempo_accuracy_2', 'tempo 2'],
  ['key_exact', 'key exact'],
  ['key_mirex', 'key MIREX'],
];

/** `remarks`: song id → what is wrong with the answer, written by hand. */
export function formatRecordings(
  files: readonly ScoreFile[],
  remarks: Readonly<Record<string, string>>,
): string {
  const ours = files.find(({ ears }) => ears === 'learned');
  if (!ours) return '';
  const peers = files.filter(isPeer);
  const classical = files.find(({ ears }) => ears === 'classical');
  const ids = Object.keys(ours.songs);
  const genres = [...new Set(Object.values(ours.genres ?? {}))].sort();
  const all = [
    formatRow('**all, learned**', ours, ids),
    ...(classical ? [formatRow('all, classical', classical, ids)] : []),
  ];
  const byGenre = genres.map((genre) => {
    const clips = ids.filter((id) => ours.genres?.[id] === genre);
    return formatRow(`${genre} (${clips.length})`, ours, clips);
  });
  return `## Real recordings

${ids.length} clips of 30 s in ten genres with beats, bars and keys annotated by people (\`make.py gtzan\` of the shared corpus; keys not for classical music). In brackets: 95 % intervals of a
bootstrap over clips. Nothing learned from these clips is in the product but a handful of priors (the level, the lean of the keys, the confidences), which were fitted on them:
\`docs/algorithms.md\` has the cross-validated figures. An answer that is withheld scores 0.

| | ${COLUMNS.map(([, title]) => title).join(' | ')} |
|---|${COLUMNS.map(() => '---|').join('')}
${[...all, ...byGenre].join('\n')}

${peers.map((peer) => comparePeer(ours, peer)).join('\n\n')}

${formatAbstention(ours)}

${formatWorst(ours, remarks)}`;
}

function comparePeer(ours: ScoreFile, peer: ScoreFile): string {
  const shared = Object.keys(peer.songs).filter((id) => ours.songs[id]);
  const genres = [...new Set(shared.map((id) => ours.genres?.[id]))];
  const title =
    peer.ears === BEFORE
      ? `### Before and after: Earshot as it was when recordings became the measure (commit 4c7ffe2), on ${shared.length} clips of ${genres.join(', ')}`
      : `### Beside ${peer.ears}, on the ${shared.length} clips it was run on`;
  return `${title}

| | ${COLUMNS.map(([, title]) => title).join(' | ')} |
|---|${COLUMNS.map(() => '---|').join('')}
${formatRow('Earshot', ours, shared)}
${formatRow(peer.ears, peer, shared)}`;
}

function isPeer({ ears }: ScoreFile): boolean {
  return ears !== 'learned' && ears !== 'classical';
}

function formatRow(title: string, file: ScoreFile, ids: readonly string[]): string {
  const cells = COLUMNS.map(([name]) => {
    const values = ids.flatMap((id) => file.songs[id]?.[name] ?? []);
    const interval = bootstrapMean(values);
    // A peer that scores 0 throughout does not have this kind of answer.
    if (!interval || (isPeer(file) && interval.high === 0)) return '–';
    return formatInterval(interval);
  });
  return `| ${title} | ${cells.join(' | ')} |`;
}

function formatAbstention(file: ScoreFile): string {
  const answers = Object.entries(file.answers);
  const count = (kind: 'tempo' | 'key'): string => {
    const known = answers.filter(([, answer]) =>
      kind === 'tempo' ? answer.tempo.truthBpm : answer.key.truth,
    );
    const withheld = known.filter(
      ([, answer]) => (kind === 'tempo' ? answer.tempo.bpm : answer.key.key) === null,
    );
    const names = withheld.map(([id]) => id).join(', ');
    return `${kind}: ${withheld.length} of ${known.length}${names ? ` (${names})` : ''}`;
  };
  return `### Answers withheld

${count('tempo')}; ${count('key')}.`;
}

function formatWorst(file: ScoreFile, remarks: Readonly<Record<string, string>>): string {
  const worst = Object.entries(file.songs)
    .filter(([, scores]) => scores.beat_f !== undefined)
    .sort(([, a], [, b]) => a.beat_f! - b.beat_f!)
    .slice(0, WORST_COUNT);
  const missing = worst.map(([id]) => id).filter((id) => remarks[id] === undefined);
  const unused = Object.keys(remarks).filter((id) => !worst.some(([song]) => song === id));
  if (missing.length > 0 || unused.length > 0)
    throw new Error(
      `recording-remarks.ts lacks ${missing.join(', ') || 'none'}, and has unused ${unused.join(', ') || 'none'}`,
    );
  const rows = worst.map(([id, scores]) => {
    const { tempo } = file.answers[id]!;
    const answer =
      tempo.bpm === null ? 'withheld' : `${tempo.bpm.toFixed(1)} at ${tempo.confidence?.toFixed(2) ?? '–'}`;
    return `| ${id} | ${scores.beat_f!.toFixed(2)} | ${tempo.truthBpm?.toFixed(1) ?? '–'} | ${answer} | ${remarks[id]} |`;
  });
  return `### The ${WORST_COUNT} worst

By F of the beats. What is wrong was read off pictures: ten seconds of the spectrum with the annotated and the answered beats, and the scores. Nobody has listened to them.

| | beats F | true BPM | answer | what is wrong |
|---|---|---|---|---|
${rows.join('\n')}`;
}
