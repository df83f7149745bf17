/** The part of docs/accuracy.md about genre, voice, sounds that are not music, and the similarity of recordings. */

import { bootstrapMean } from './metrics/bootstrap.ts';
import { formatInterval, formatShare } from './page-figures.ts';
import type { ScoreFile } from './score-file.ts';
import type { ScoreName } from './score-song.ts';

/** `image`: path of the confusion matrix, relative to the page. */
export function formatGenreAndVoice(files: readonly ScoreFile[], image: string): string {
  const ours = files.filter(({ ears }) => ears === 'learned');
  const parts = [
    ...ours.filter(({ neighbours }) => neighbours?.of === 'genre').map((file) => formatGenre(file, image)),
    ...ours.filter(({ songs }) => hasScore(songs, 'voice_auc')).map(formatVoice),
    ...(ours.some(({ answers }) => hasVoiceShare(answers)) ? [formatVoiceShares(ours)] : []),
    ...ours.filter(({ songs }) => hasScore(songs, 'no_genre')).map(formatNoMusic),
    ...ours.filter(({ neighbours }) => neighbours?.of === 'recording').map(formatSameRecordings),
  ];
  return parts.length === 0 ? '' : ['## What kind of music', ...parts].join('\n\n');
}

function formatGenre(file: ScoreFile, image: string): string {
  const { calibration, neighbours, songs } = file;
  const genres = [...new Set(Object.values(file.genres ?? {}))].sort();
  const rows = genres.map((genre) => {
    const ids = Object.keys(songs).filter((id) => file.genres?.[id] === genre);
    return `| ${genre} (${ids.length}) | ${formatScore(file, 'genre_first', ids)} | ${formatScore(file, 'genre_among_three', ids)} |`;
  });
  const all = Object.keys(songs);
  return `### Genre, on ${all.length} clips of \`${file.corpus}\`

The corpus's own word has to be named: first, and among the first three. A clip that is called a narrower genre first, or none at all, counts as wrong. The norms of the tags, the steepness and
the cost of narrower genres were chosen on these clips; which tags make a genre was not.

| | first | among three |
|---|---|---|
| **all** | ${formatScore(file, 'genre_first', all)} | ${formatScore(file, 'genre_among_three', all)} |
${rows.join('\n')}

Calibration error of the first genre's confidence: ${formatIfKnown(calibration.genre?.expectedCalibrationError)} (n=${calibration.genre?.answers ?? 0}). The nearest neighbour by the whole
embedding has the same genre for ${formatShare(neighbours!.alike)} of ${neighbours!.count} clips.

![Genres named, by genre](${image})`;
}

function formatVoice(file: ScoreFile): string {
  const ids = Object.keys(file.songs);
  const rows = ids.map((id) => {
    const { truthShare, share } = file.answers[id]!.voice!;
    return `| ${id} | ${formatIfKnown(file.songs[id]?.voice_auc)} | ${formatShare(truthShare)} | ${formatIfKnown(share)} |`;
  });
  return `### Voice, on ${ids.length} songs

By tenths of a second against the annotated lines: area under the curve ${formatScore(file, 'voice_auc', ids)} in the mean of the songs; share of voice off by
${formatScore(file, 'voice_share_off', ids)} in the mean. The network never heard these songs; slope, offset and pauses were chosen on them. Sections that are called verse, chorus or bridge have a voice in the annotation, and those
called instrumental or break have none, for ${formatScore(file, 'section_voice', ids)} of the time.

| | area under the curve | share sung | answer |
|---|---|---|---|
${rows.join('\n')}`;
}

/** Above this share a reader would expect a singer. */
const MUCH_VOICE_SHARE = 0.25;

function formatVoiceShares(files: readonly ScoreFile[]): string {
  const rows = files.flatMap((file) => {
    const ids = Object.keys(file.answers).filter((id) => file.answers[id]!.voiceShare !== undefined);
    const groups = new Map<string, string[]>();
    for (const id of ids) {
      const name = file.genres?.[id] ?? `\`${file.corpus}\`, rendered from notes`;
      groups.set(name, [...(groups.get(name) ?? []), id]);
    }
    // A song without an answer counts as one without a voice.
    const shareOf = (id: string): number => file.answers[id]!.voiceShare ?? 0;
    return [...groups].map(([name, members]) => {
      const interval = bootstrapMean(members.map(shareOf))!;
      const much = members.filter((id) => shareOf(id) > MUCH_VOICE_SHARE);
      const most = Math.max(...members.map(shareOf));
      const names = interval.mean < MUCH_VOICE_SHARE && much.length > 0 ? `: ${much.join(', ')}` : '';
      return `| ${name} (${members.length}) | ${formatInterval(interval)} | ${formatShare(most)} | ${much.length}${names} |`;
    });
  });
  return `### Voice where nobody sings, and in each genre

The share of a recording in which a voice is heard, in the mean. Nobody sings in a rendering. Classical music and jazz are all but instrumental in this corpus; nobody has annotated
who sings in it, but classical.00054, jazz.00040 and jazz.00049 sound sung to a third tagger that is not shipped. The weights of the tags that speak against a singer were fitted on these recordings and others
([training/README.md](../training/README.md#voice-v3-enginemodelsvoice-v3bin-47-kb-sha-256-2dae5c7e)).

| | share with a voice | at most | above ${MUCH_VOICE_SHARE} |
|---|---|---|---|
${rows.join('\n')}`;
}

function hasVoiceShare(answers: ScoreFile['answers']): boolean {
  return Object.values(answers).some(({ voiceShare }) => voiceShare !== undefined);
}

function formatNoMusic(file: ScoreFile): string {
  const ids = Object.keys(file.songs);
  const called = ids.filter((id) => file.songs[id]?.no_genre === 0);
  const names = called.map((id) => `${id} (${file.answers[id]?.genre?.genre ?? '–'})`);
  const tempi = ids.filter((id) => file.answers[id]!.tempo.bpm !== null).length;
  const keys = ids.filter((id) => file.answers[id]!.key.key !== null).length;
  return `### No music, no genre: ${ids.length} files of \`${file.corpus}\`

${called.length === 0 ? 'None is called a genre.' : `Called a genre: ${called.length} (${names.join(', ')}).`} A tempo is given for ${tempi} and a key for ${keys}; what ticks or turns evenly,
and sounds played over and over, do have a pulse.`;
}

function formatSameRecordings({ corpus, neighbours, answers }: ScoreFile): string {
  const spreads = listVoiceSpreads(answers);
  const mean = spreads.reduce((sum, { spread }) => sum + spread, 0) / Math.max(1, spreads.length);
  const widest = spreads.toSorted((a, b) => b.spread - a.spread)[0];
  return `### The same recording in another file, on ${neighbours!.count} files of \`${corpus}\`

Each recording as it is and through encoders (\`evaluation/encodings_corpus.py\`). The nearest neighbour of a file is another of the same recording for ${formatShare(neighbours!.alike)}. The share of voice
lies within ${formatShare(mean)} from the least to the most of a recording's files in the mean${widest ? `, and within ${formatShare(widest.spread)} at most (${widest.name})` : ''}.`;
}

/** The largest minus the smallest share of voice among the files of each recording. */
function listVoiceSpreads(answers: ScoreFile['answers']): { name: string; spread: number }[] {
  const shares = new Map<string, number[]>();
  for (const { recording } of Object.values(answers)) {
    if (!recording || recording.voiceShare === null) continue;
    shares.set(recording.name, [...(shares.get(recording.name) ?? []), recording.voiceShare]);
  }
  return [...shares].map(([name, of]) => ({ name, spread: Math.max(...of) - Math.min(...of) }));
}

function formatScore(file: ScoreFile, name: ScoreName, ids: readonly string[]): string {
  const interval = bootstrapMean(ids.flatMap((id) => file.songs[id]?.[name] ?? []));
  return interval ? formatInterval(interval) : '–';
}

function hasScore(songs: ScoreFile['songs'], name: ScoreName): boolean {
  return Object.values(songs).some((scores) => scores[name] !== undefined);
}

function formatIfKnown(value: number | null | undefined): string {
  return value == null ? '–' : formatShare(value);
}
