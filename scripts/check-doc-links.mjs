/**
 * Every relative link and every `path/to/file` in backticks of our Markdown names something that exists, and every
 * anchor a heading. Links to other sites are not followed: a check must not depend on the network.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.md'], {
  encoding: 'utf8',
})
  .split('\n')
  .filter(Boolean)
  .filter((file) => existsSync(file));

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
    // Addresses of the running service are followed by server/src/docs/build-site.test.ts.
    if (/^([a-z]+:|\/)/.test(target)) continue;
    const [path, anchor] = target.split('#');
    const resolved = path === '' ? file : normalize(join(dirname(file), decodeURIComponent(path)));
    if (!existsSync(resolved)) problems.push(`${file}: ${target} does not exist`);
    else if (anchor && resolved.endsWith('.md') && !anchorsOf(resolved).has(anchor)) {
      problems.push(`${file}: ${target} has no such heading`);
    }
  }
  for (const [, path] of text.matchAll(
    /`((?:engine|decode|contract|server|sdk|cli|evaluation|scripts|docs|examples|training|dashboard)\/[\w./-]+\.\w+)`/g,
  )) {
    if (!existsSync(path) && !/\/dist\//.test(path))
      problems.push(`${file}: names ${path}, which does not exist`);
  }
}
for (const problem of problems) console.error(problem);
console.log(`${files.length} documents, ${problems.length} broken references`);
process.exit(problems.length === 0 ? 0 : 1);
