/** Makes docs/accuracy.md and its images from the committed score files, so that every figure on the page was measured. */

import { drawConfusion } from './confusion-svg.ts';
import { formatGenreAndVoice } from './genre-and-voice-section.ts';
import type { LoudnessReading } from './loudness-sequences.ts';
import { formatRecordings, RECORDINGS_CORPUS } from './recordings-section.ts';
import { drawReliability } from './reliability-svg.ts';
import type { ScoreFile } from './score-file.ts';
import type { ScoreName } from './score-song.ts';
import { formatAnswers, SURE_CONFIDENCE_MIN } from './song-answers.ts';

export type NamedScoreFile = {
  /** Of the file, without its ending. */
  name: string;
  file: ScoreFile;
};

const ROWS: readonly [ScoreName, string][] = [
  ['beat_f', 'Beats, F-measure within 70 ms'],
  ['cmlt', 'Beats, right level and phase (CMLt)'],
  ['amlt', 'Beats, half and double allowed (AMLt)'],
  ['downbeat_f', 'Downbeats, F-measure within 70 ms'],
  ['tempo_accuracy_1', 'Tempo within 4 % (Accuracy 1)'],
  ['tempo_accuracy_2', 'Tempo, factors of 2 and 3 allowed (Accuracy 2)'],
  ['time_signature', 'Time signature'],
  ['key_exact', 'Key exactly right'],
  ['key_mirex', 'Key, MIREX weights'],
  ['chord_root', 'Chord root, share of time'],
  ['chord_maj_min', 'Chords major/minor, share of time'],
  ['section_f_05', 'Section boundaries within 0.5 s'],
  ['section_f_3', 'Section boundaries within 3 s'],
  ['section_pairwise_f', 'Section labels, pairwise F'],
  ['section_role', 'Section words (intro, sung or played), share of time'],
];

/** On labels that are doubtful themselves. */
const REAL_NOTES = `brahms-hungarian-dance-5 is labelled with the key of the piano original. The recording is of the version for orchestra, which is in G minor: with A near
440 Hz the bass and the cadences are those of G minor, and all four key profiles of Essentia that were tried say so too. The error is in the label.`;

/** Measured by hand, because the encoders are not dependencies. */
const OTHER_FILES = `## The same song in another file

15 of the first 16 dev songs by name (ffmpeg, 16-bit WAV, FLAC, LAME at 192 kbit/s): BPM from the MP3 within 0.0006 % of that from the WAV, the key the same in
all of them. WAV and FLAC give the same JSON byte for byte (every eighth song, and \`evaluation/src/analyse-file.slow.test.ts\`), and so do one analysis at a time and four threads at once.
`;

const CONFUSION_IMAGE = 'genres-confused.svg';

/** `images`: file name → SVG. */
export function makeAccuracyPage(
  files: readonly NamedScoreFile[],
  loudness: readonly LoudnessReading[],
  remarks: Readonly<Record<string, string>>,
): { page: string; images: ReadonlyMap<string, string> } {
  const all = files.map(({ file }) => file);
  // Peers have no confidences; the corpora of voices, noise and encodings have no rhythm or harmony, but sections of their own below.
  const musical = files.filter(
    ({ file }) =>
      Object.keys(file.calibration).length > 0 &&
      file.means.some(({ name }) => ROWS.some(([row]) => row === name)),
  );
  const recordings = all.filter(({ corpus }) => corpus === RECORDINGS_CORPUS);
  const learned = recordings.find(({ ears }) => ears === 'learned');
  const images = new Map<string, string>();
  if (learned) images.set(CONFUSION_IMAGE, drawConfusion(learned));
  const page = `# Accuracy

Written by \`npm run accuracy\` from the score files in [evaluation/scores](../evaluation/scores), which \`npm run evaluate\` makes. The metrics are those of
mir_eval and MIREX; \`evaluation/src/metrics\` names the paper of each.

The corpora: \`dev\` are 40 pop songs rendered from human arrangements with human annotations (no singing, mostly slow 4/4); \`real\` are
8 drum loops of exactly known tempo and 5 recordings, two with a known key; \`gtzan\` are clips of commercial recordings, see below. *Learned* uses our networks, *classical* is the engine without them.

| | ${musical.map(({ file }) => `${file.corpus}, ${file.ears} (${Object.keys(file.songs).length})`).join(' | ')} |
|---|${musical.map(() => '---|').join('')}
${ROWS.map(([name, title]) => `| ${title} | ${musical.map(({ file }) => formatMean(file, name)).join(' | ')} |`).join('\n')}

## Does a confidence mean what it says?

Of the answers given with 0.8, about 80 % should be right. The curves show it for each kind of answer; the expected calibration error is the mean distance
from the diagonal, weighted by the number of answers.

| | ${musical.map(({ file }) => `${file.corpus}, ${file.ears}`).join(' | ')} |
|---|${musical.map(() => '---|').join('')}
${(['tempo', 'key', 'beats', 'downbeats'] as const)
  .map((kind) => `| ${kind} | ${musical.map(({ file }) => formatCalibration(file, kind)).join(' | ')} |`)
  .join('\n')}

${musical
  .flatMap(({ name, file }) => {
    const image = `calibration-${name}.svg`;
    images.set(image, drawReliability(file));
    return [`![Reliability of ${file.corpus}, ${file.ears}](images/${image})`];
  })
  .join('\n\n')}

${formatRecordings(recordings, remarks)}

${formatGenreAndVoice(all, `images/${CONFUSION_IMAGE}`)}

${formatWrongTempi(all.filter(({ ears, corpus }) => ears === 'learned' && corpus !== RECORDINGS_CORPUS))}

${all
  .filter(({ corpus, calibration }) => corpus === 'real' && Object.keys(calibration).length > 0)
  .map(formatReal)
  .join('\n\n')}

${formatLoudness(loudness)}

${OTHER_FILES}`;
  return { page, images };
}

/** With their confidences, so that the reader sees which wrong tempi the confidence did not warn of. */
function formatWrongTempi(learned: readonly ScoreFile[]): string {
  const wrong = learned.flatMap(({ songs, answers }) =>
    Object.entries(answers).filter(
      ([id, { tempo }]) => songs[id]?.tempo_accuracy_1 === 0 && tempo.bpm !== null,
    ),
  );
  const rows = wrong.map(([id, { tempo }]) => {
    const answer = `${tempo.bpm!.toFixed(1)} | ${tempo.confidence!.toFixed(2)}`;
    return `| ${id} | ${tempo.truthBpm!.toFixed(1)} | ${answer} |`;
  });
  return `## Tempi that are wrong

Every tempo of the learned ears on \`dev\` and \`real\` that is not within 4 %. Songs in half time are the hard ones: their slow beats are very clear, and only a little remaining
doubt about the metrical level distinguishes them from slow songs.

| | true BPM | answer | confidence |
|---|---|---|---|
${rows.join('\n')}`;
}

/** Song by song, because a mean over eight loops and five recordings says little. */
function formatReal(file: ScoreFile): string {
  const rows = Object.entries(file.answers).map(([id, answers]) => formatAnswers(id, answers));
  return `## The real recordings one by one

A tempo or key that is not the one of the label must be given with a confidence below ${SURE_CONFIDENCE_MIN}. A dash means that the truth is not known.

| | true BPM | answer | | true key | answer | |
|---|---|---|---|---|---|---|
${rows.join('\n')}

${REAL_NOTES}`;
}

/** The EBU's own files. The sequences that are defined as tones are also generated in the engine's tests. */
function formatLoudness(readings: readonly LoudnessReading[]): string {
  const rows = readings.map(
    ({ file, quantity, target, tolerance, reading }) =>
      `| ${file} | ${quantity} | ${target} ± ${tolerance} | ${reading?.toFixed(2) ?? 'none'} |`,
  );
  return `## Loudness of the EBU's sequences

Written by \`npm run loudness-sequences\`. 3341-7 is 3342-5, a programme recording.

| | | target | reading |
|---|---|---|---|
${rows.join('\n')}`;
}

function formatMean(file: ScoreFile, name: ScoreName): string {
  const found = file.means.find((mean) => mean.name === name);
  return found ? found.mean.toFixed(3) : '–';
}

function formatCalibration(file: ScoreFile, kind: keyof ScoreFile['calibration']): string {
  const found = file.calibration[kind];
  return found ? `${found.expectedCalibrationError.toFixed(3)} (n=${found.answers})` : '–';
}
