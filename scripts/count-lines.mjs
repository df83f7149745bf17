/**
 * Counts the lines of source by folder in two versions, without tests, fixtures and generated files:
 *
 *     node scripts/count-lines.mjs BEFORE [AFTER]
 */
import { execFileSync } from 'node:child_process';

const SOURCE = /\.(ts|tsx|mjs|cjs|py|c|h|css|sql|html)$/;
const NOT_COUNTED =
  /\.test\.|\/tests?\/|\/test-[^/]+$|fixture|\.generated\.|\/dist\/|^clients\/generated\/|dr_mp3\.h$/;

// A gibibyte of output: no file is larger.
const git = (...args) => execFileSync('git', args, { encoding: 'utf8', maxBuffer: 1 << 30 });

function countLines(revision) {
  const byFolder = new Map();
  // One line per file: mode, type and object, then a tab and the path.
  for (const entry of git('ls-tree', '-r', revision).split('\n').filter(Boolean)) {
    const [description, path] = entry.split('\t');
    if (!SOURCE.test(path) || NOT_COUNTED.test(path)) continue;
    const folder = path.includes('/') ? path.split('/')[0] : '.';
    const lines = git('cat-file', 'blob', description.split(' ')[2]).split('\n').length - 1;
    byFolder.set(folder, (byFolder.get(folder) ?? 0) + lines);
  }
  return byFolder;
}

const [before, after = 'HEAD'] = process.argv.slice(2);
if (before === undefined) throw new Error('usage: node scripts/count-lines.mjs BEFORE [AFTER]');
const counts = [countLines(before), countLines(after)];
const folders = [...new Set(counts.flatMap((count) => [...count.keys()]))].sort();
const row = (name, [first, second]) =>
  console.log(
    `${name.padEnd(14)}${String(first).padStart(8)}${String(second).padStart(8)}${String(second - first).padStart(8)}`,
  );
for (const folder of folders)
  row(
    folder,
    counts.map((count) => count.get(folder) ?? 0),
  );
row(
  'total',
  counts.map((count) => [...count.values()].reduce((sum, lines) => sum + lines, 0)),
);
