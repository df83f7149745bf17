/**
 * Makes a release: npm run release -- patch|minor|major|X.Y.Z [--dry-run]
 *
 * Updates the version everywhere, turns the pending part of the changelog into a chapter, commits, tags, packs, and records how the
 * packages were built (dist/packages/provenance.json). Publishes nothing, but prints the commands that do. A dry run does the same in a
 * temporary clone, without packing.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const PENDING = '## Pending';

class Refused extends Error {}

function git(folder, ...args) {
  return execFileSync('git', args, { cwd: folder, encoding: 'utf8' }).trim();
}

function nextVersion(current, asked) {
  if (/^\d+\.\d+\.\d+$/.test(asked)) return asked;
  const [major, minor, patch] = current.split('.').map(Number);
  const next = {
    major: `${major + 1}.0.0`,
    minor: `${major}.${minor + 1}.0`,
    patch: `${major}.${minor}.${patch + 1}`,
  }[asked];
  if (next === undefined)
    throw new Refused('which version? npm run release -- patch|minor|major|X.Y.Z [--dry-run]');
  return next;
}

/** Every file that contains the version, with the new one: `[path, text]`. */
function editVersion(folder, from, to) {
  const edited = [];
  const edit = (path, change) => {
    const before = readFileSync(join(folder, path), 'utf8');
    const after = change(before);
    if (after === before) throw new Refused(`${path} does not name the version ${from}`);
    edited.push([path, after]);
  };
  const editJson = (path, change) =>
    edit(path, (text) => {
      const value = JSON.parse(text);
      change(value);
      return `${JSON.stringify(value, null, 2)}\n`;
    });
  const raise = (manifest) => {
    manifest.version = to;
    for (const list of [manifest.dependencies, manifest.devDependencies]) {
      for (const name of Object.keys(list ?? {})) if (name.startsWith('@earshot/')) list[name] = to;
    }
  };
  const { workspaces } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  for (const path of ['.', ...workspaces]) editJson(join(path, 'package.json'), raise);
  editJson('package-lock.json', (lock) => {
    lock.version = to;
    for (const path of ['', ...workspaces]) raise(lock.packages[path]);
  });
  editJson('contract/openapi.json', (document) => {
    document.info.version = to;
  });
  const quoted = (text) => text.replace(`'${from}'`, `'${to}'`).replace(`"${from}"`, `"${to}"`);
  for (const path of [
    'engine/src/version.ts',
    'clients/python/pyproject.toml',
    'clients/python/src/earshot/_version.py',
  ]) {
    edit(path, quoted);
  }
  edit('deploy/kubernetes/kustomization.yaml', (text) => text.replace(`newTag: ${from}`, `newTag: ${to}`));
  return edited;
}

/** The pending lines as a chapter of their own, and the changelog with it. */
function editChangelog(folder, version, date) {
  const text = readFileSync(join(folder, 'CHANGELOG.md'), 'utf8');
  const start = text.indexOf(PENDING);
  const rest = text.slice(start + PENDING.length);
  const end = rest.search(/\n## /);
  const lines = (end < 0 ? rest : rest.slice(0, end)).trim();
  if (start < 0 || lines === '')
    throw new Refused('CHANGELOG.md has nothing pending: there is nothing to release');
  const chapter = `## ${version} (${date})\n\n${lines}\n`;
  const changelog = `${text.slice(0, start)}${PENDING}\n\n${chapter}${end < 0 ? '' : rest.slice(end)}`;
  return { chapter, changelog };
}

/** Updates files, commits and tags, in the checkout or in a clone. */
function prepare(folder, asked, date) {
  const current = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).version;
  const version = nextVersion(current, asked);
  const tag = `v${version}`;
  if (git(folder, 'tag', '--list', tag) !== '') throw new Refused(`the tag ${tag} already exists`);
  const { chapter, changelog } = editChangelog(folder, version, date);
  // The first release may keep the current version.
  const edited = version === current ? [] : editVersion(folder, current, version);
  // After everything that may refuse, so that a refusal changes no file.
  for (const [path, text] of [...edited, ['CHANGELOG.md', changelog]])
    writeFileSync(join(folder, path), text);
  git(folder, 'add', '--all');
  git(folder, 'commit', '--quiet', '--message', `release: ${tag}\n\n${chapter}`);
  // By default git takes the headings, which begin with #, for comments and removes them.
  git(folder, 'tag', '--annotate', '--cleanup=whitespace', tag, '--message', chapter);
  return { current, tag };
}

/** What is needed to reproduce the packages and compare them: sources, tools, and the digest that npm records for each tarball. */
function describeProvenance(folder, files) {
  const digest = (algorithm, path, encoding) =>
    createHash(algorithm).update(readFileSync(path)).digest(encoding);
  return {
    commit: git(folder, 'rev-parse', 'HEAD'),
    tree: git(folder, 'rev-parse', 'HEAD^{tree}'),
    lockfile_sha256: digest('sha256', join(folder, 'package-lock.json'), 'hex'),
    node: process.version,
    npm: execFileSync('npm', ['--version'], { encoding: 'utf8' }).trim(),
    command: 'npm ci && npm run pack:all',
    packages: files.map((path) => ({
      file: basename(path),
      integrity: `sha512-${digest('sha512', path, 'base64')}`,
    })),
  };
}

async function release(asked, date) {
  if (git(root, 'status', '--porcelain') !== '')
    throw new Refused('the working tree has uncommitted changes');
  const { tag } = prepare(root, asked, date);
  const { packAll, packWheel } = await import('./pack.mjs');
  const tarballs = (await packAll()).map(({ tarball }) => tarball);
  const { wheel, reason } = packWheel();
  if (wheel === null) console.error(`no wheel: ${reason}`);
  const files = [...tarballs, ...(wheel === null ? [] : [wheel])];
  const provenance = describeProvenance(root, files);
  writeFileSync(join(root, 'dist/packages/provenance.json'), `${JSON.stringify(provenance, null, 2)}\n`);
  console.log(`${tag} is committed, tagged and packed. To publish it:\n`);
  console.log(`git push --follow-tags`);
  // npm accepts --provenance only in a CI that it trusts; elsewhere, omit it and rely on provenance.json.
  for (const tarball of tarballs) console.log(`npm publish --access public --provenance ${tarball}`);
  if (wheel !== null) console.log(`twine upload ${wheel}`);
}

function rehearse(asked, date) {
  const clone = mkdtempSync(join(tmpdir(), 'earshot-release-'));
  try {
    git(root, 'clone', '--quiet', '--shared', root, clone);
    for (const [name, value] of [
      ['user.name', 'Dry run'],
      ['user.email', 'dry-run@localhost'],
    ]) {
      git(clone, 'config', name, value);
    }
    const { current, tag } = prepare(clone, asked, date);
    console.log(`Dry run: ${current} → ${tag}. Nothing was changed here.\n`);
    console.log(git(clone, 'show', '--stat', '--format=%s', `${tag}^{commit}`));
    console.log(`\n${git(clone, 'for-each-ref', '--format=%(contents)', `refs/tags/${tag}`)}\n`);
    const { packages: _, ...provenance } = describeProvenance(clone, []);
    console.log(JSON.stringify(provenance, null, 2));
  } finally {
    rmSync(clone, { recursive: true, force: true });
  }
}

const args = process.argv.slice(2);
const dry = args.includes('--dry-run');
const [asked = dry ? 'patch' : ''] = args.filter((argument) => argument !== '--dry-run');
const date = new Date().toISOString().slice(0, 10);
try {
  if (dry) rehearse(asked, date);
  else await release(asked, date);
} catch (error) {
  if (!(error instanceof Refused)) throw error;
  console.error(`release: ${error.message}`);
  process.exitCode = 2;
}
