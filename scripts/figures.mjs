/**
 * Writes measured numbers into README.md, docs/quickstart.md and docs/guides/cli.md: the result of the sample song and the committed
 * scores. With --check it only reports files that are out of date.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const SONG = 'examples/sample-song/two-doors-down.mp3';
/** Rows of the table in the README → names of their scores. */
const ACCURACY = {
  'Beats, F-measure within 70 ms': 'beat_f',
  'Downbeats, F-measure within 70 ms': 'downbeat_f',
  'Tempo within 4 %': 'tempo_accuracy_1',
  'Tempo, factors of 2 and 3 allowed': 'tempo_accuracy_2',
  'Key exactly right': 'key_exact',
  'Chords major/minor, share of time': 'chord_maj_min',
  'Section boundaries within 3 s': 'section_f_3',
  'Genre named first': 'genre_first',
  'Genre among the first three': 'genre_among_three',
};

function earshot(...args) {
  const program = join(root, 'cli/bin/earshot.mjs');
  return execFileSync(process.execPath, [program, 'analyze', '--no-progress', ...args, SONG], {
    cwd: root,
    encoding: 'utf8',
  });
}

const result = JSON.parse(earshot('--json'));
const table = earshot().trimEnd();
const fixed = (value, digits) => value.toFixed(digits);

/** `[file, pattern, replacement]`; every pattern must be found. */
function edits() {
  const tableBlock = [/```\nfile +length[\s\S]*?\n```/, () => `\`\`\`\n${table}\n\`\`\``];
  const beat = result.rhythm.beats[0];
  const chord = result.tonal.chords.find(({ label }) => label !== 'N');
  const section = result.structure.sections[1];
  return [
    ['README.md', ...tableBlock],
    ['docs/guides/cli.md', ...tableBlock],
    [
      'docs/quickstart.md',
      /\d+\.\d BPM, \S+, -\d+\.\d LUFS/,
      () => `${fixed(result.bpm, 1)} BPM, ${result.key_notation}, ${fixed(result.loudness_lufs, 1)} LUFS`,
    ],
    ...[
      ['duration_seconds', fixed(result.duration_seconds, 2)],
      ['bpm', fixed(result.bpm, 1)],
      ['bpm_confidence', fixed(result.bpm_confidence, 2)],
      ['key_confidence', fixed(result.key_confidence, 2)],
      ['loudness_lufs', fixed(result.loudness_lufs, 1)],
      ['true_peak_dbtp', fixed(result.true_peak_dbtp, 1)],
    ].map(([name, value]) => [
      'docs/quickstart.md',
      new RegExp(`("${name}": )-?[\\d.]+`),
      (_, start) => start + value,
    ]),
    lineOfReadme(
      `"bpm": ${fixed(result.bpm, 1)}, "bpm_confidence": ${fixed(result.bpm_confidence, 2)}, "time_signature": ${result.time_signature}`,
    ),
    lineOfReadme(
      `"key": "${result.key}", "scale": "${result.scale}", "key_confidence": ${fixed(result.key_confidence, 2)}, "camelot": "${result.camelot}"`,
    ),
    lineOfReadme(
      `"loudness_lufs": ${fixed(result.loudness_lufs, 2)}, "true_peak_dbtp": ${fixed(result.true_peak_dbtp, 1)}`,
    ),
    lineOfReadme(
      `"rhythm": { "beats": [{ "time_seconds": ${fixed(beat.time_seconds, 3)}, "confidence": ${fixed(beat.confidence, 2)}, "beat_in_bar": ${beat.beat_in_bar}, "bar": ${beat.bar} }] }`,
    ),
    lineOfReadme(
      `"tonal": { "chords": [{ "start_seconds": ${fixed(chord.start_seconds, 3)}, "end_seconds": ${fixed(chord.end_seconds, 2)}, "label": "${chord.label}", "roman": "${chord.roman}", "confidence": ${fixed(chord.confidence, 2)} }] }`,
    ),
    lineOfReadme(
      `"structure": { "sections": [{ "start_seconds": ${fixed(section.start_seconds, 2)}, "end_seconds": ${fixed(section.end_seconds, 2)}, "label": "${section.label}", "group": "${section.group}", "confidence": ${fixed(section.confidence, 2)} }] }`,
    ),
    ...accuracyEdits(),
  ];
}

/** A line of the JSON in the README, found by the name it begins with. */
function lineOfReadme(line) {
  const [name] = line.split(':');
  return ['README.md', new RegExp(`^ {2}${name}: .*?(?=,?$)`, 'm'), () => `  ${line}`];
}

function accuracyEdits() {
  const [recordings, renderings] = ['gtzan', 'dev'].map((corpus) => {
    const { means } = JSON.parse(
      readFileSync(join(root, `evaluation/scores/${corpus}-learned.json`), 'utf8'),
    );
    return new Map(means.map(({ name, mean }) => [name, mean]));
  });
  const cell = (mean) => (mean === undefined ? '–' : fixed(mean, 3));
  return Object.entries(ACCURACY).map(([label, name]) => {
    const row = new RegExp(
      `^(\\| ${label.replaceAll(/[/.]/g, '\\$&')} \\| )(?:–|[\\d.]+)( \\| )(?:–|[\\d.]+)`,
      'm',
    );
    return [
      'README.md',
      row,
      (_, start, between) => `${start}${cell(recordings.get(name))}${between}${cell(renderings.get(name))}`,
    ];
  });
}

const texts = new Map();
for (const [file, pattern, replacement] of edits()) {
  const text = texts.get(file) ?? readFileSync(join(root, file), 'utf8');
  if (!pattern.test(text)) throw new Error(`${file} does not contain ${pattern}: has it been rewritten?`);
  texts.set(file, text.replace(pattern, replacement));
}
let staleCount = 0;
for (const [file, text] of texts) {
  const path = join(root, file);
  if (readFileSync(path, 'utf8') === text) continue;
  staleCount += 1;
  if (process.argv.includes('--check')) console.error(`${file} is out of date: npm run figures`);
  else {
    writeFileSync(path, text);
    console.log(`Updated ${file}`);
  }
}
process.exitCode = process.argv.includes('--check') && staleCount > 0 ? 1 : 0;
