/**
 * Every relative link and every `path/to/file` in backticks of our Markdown names something that exists, every anchor a heading,
 * and every file that a comment in our code cites is there. Links to other sites are not followed: a check must not depend on
 * the network.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

function listFiles(...patterns) {
  const listed = execFileSync(
    'git',
    ['ls-files', '--cached', '--others', '--exclude-standard', ...patterns],
    {
      encoding: 'utf8',
    },
  );
  return listed.split('\n').filter((file) => file !== '' && existsSync(file));
}

const files = listFiles('*.md');
const FOLDERS = [...new Set(listFiles().filter((file) => file.includes('/')))]
  .map((file) => file.split('/')[0])
  .filter((folder, index, all) => all.indexOf(folder) === index && !folder.startsWith('.'));
const PATH = `(?:${FOLDERS.join('|')})/[\\w./-]*\\w\\.\\w+`;
/** Made by a build, so not there in a fresh checkout. */
const isBuilt = (path) => /\/dist\/|^dist\//.test(path);

/** GitHub's anchor of a heading. */
function anchorOf(heading) {
  return heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-');
}

function anchorsOf(file) {
  const text = readFileSync(file, 'utf8').replace(/^```[\s\S]*?^```/gm, '');
  const headings = [...text.matchAll(/^#{1,6}\s+(.+)$/gm)].map((match) =>
    anchorOf(match[1].replace(/`/g, '')),
  );
  const explicit = [...text.matchAll(/<a (?:id|name)="([^"]+)"/g)].map((match) => match[1]);
  return new Set([...headings, ...explicit]);
}

const problems = [];
for (const file of files) {
  const text = readFileSync(file, 'utf8').replace(/^```[\s\S]*?^```/gm, '');
  for (const [, target] of text.matchAll(/\]\(([^)\s]+)\)/g)) {
    // Addresses of the running service are followed by server/src/docs/build-site.slow.test.ts.
    if (/^([a-z]+:|\/)/.test(target)) continue;
    const [path, anchor] = target.split('#');
    const resolved = path === '' ? file : normalize(join(dirname(file), decodeURIComponent(path)));
    if (!existsSync(resolved)) problems.push(`${file}: ${target} does not exist`);
    else if (anchor && resolved.endsWith('.md') && !anchorsOf(resolved).has(anchor)) {
      problems.push(`${file}: ${target} has no such heading`);
    }
  }
  for (const [, path] of text.matchAll(new RegExp(`\`(${PATH})\``, 'g'))) {
    if (!existsSync(path) && !isBuilt(path)) problems.push(`${file}: names ${path}, which does not exist`);
  }
  // The table of ARCHITECTURE.md names files from the folder of the service on.
  if (file !== 'ARCHITECTURE.md') continue;
  for (const [, path] of text.matchAll(/`([a-z][\w./-]*\.ts)(?:: \w+)?`/g)) {
    const isThere = existsSync(path) || existsSync(join('server/src', path)) || !path.includes('/');
    if (!isThere) problems.push(`${file}: names ${path}, which does not exist`);
  }
}

/** Whole lines of comment: code behind which a comment stands may hold paths of other kinds. */
const COMMENT_LINE = /^\s*(?:\/\/|\/?\*|#)(.*)$/gm;
const sources = listFiles(
  '*.ts',
  '*.tsx',
  '*.mjs',
  '*.cjs',
  '*.py',
  '*.c',
  '*.sql',
  '*.yml',
  '*.yaml',
  '*.sh',
);
for (const file of sources) {
  for (const [, comment] of readFileSync(file, 'utf8').matchAll(COMMENT_LINE)) {
    for (const [path] of comment.matchAll(new RegExp(`(?<![\\w./-])${PATH}`, 'g'))) {
      if (!existsSync(path) && !isBuilt(path)) problems.push(`${file}: cites ${path}, which does not exist`);
    }
  }
}
for (const problem of problems) console.error(problem);
console.log(`${files.length} documents and ${sources.length} sources, ${problems.length} broken references`);
process.exit(problems.length === 0 ? 0 : 1);
