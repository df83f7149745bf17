import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Patch, patchServer } from './build-variant.ts';

/** What can be made to fail at its n-th use: a file operation, a request to another server, or the answer to one. */
export type FailingOperation = 'file' | 'request' | 'answer';

const failBefore = (file: string, find: string): Patch =>
  patchServer(file, find, `globalThis.failIfArmed('file', 'EIO');\n${find}`);

/** The steps of storing bytes (open, write, flush, link, flush the folder, create it, look up, delete), and every request. */
export const PLANTED_ERRORS: readonly Patch[] = [
  failBefore('platform/write-through.ts', "  const file = await open(path, 'wx', 0o600)"),
  failBefore('platform/write-through.ts', '    const { bytesWritten } = await file.write(rest);'),
  failBefore('platform/write-through.ts', '    await file.sync();'),
  failBefore('platform/storage-filesystem.ts', '    await link(partial, path);'),
  failBefore('platform/storage-filesystem.ts', '    await handle.sync();'),
  failBefore('platform/storage-filesystem.ts', '  const isNew = await mkdir(folder, { mode: 0o700 }).then('),
  failBefore(
    'platform/storage-filesystem.ts',
    '  const found = await stat(path).catch(nullIfMissing);\n  if (found === null) throw new ObjectMissing(key);',
  ),
  failBefore('platform/storage-filesystem.ts', '      await rm(pathOf(key), { force: true });'),
  // When only the answer is lost, the other server has processed the request.
  patchServer(
    'platform/http-request.ts',
    '  return new Promise((resolve, reject) => {\n    const send =',
    "  const planted = globalThis.plantIfArmed('request', 'ECONNRESET');\n  if (planted) return Promise.reject(planted);\n  const lost = globalThis.plantIfArmed('answer', 'ECONNRESET');\n  return new Promise((resolve, reject) => {\n    const send =",
  ),
  patchServer(
    'platform/http-request.ts',
    "    request.once('response', (body) => {",
    "    request.once('response', (body) => {\n      if (lost) return void request.destroy(lost);",
  ),
];

/** Tokens are files named 0 to n-1. Each use removes the one with the highest number, and the use that removes 0 fails. */
export const PLANTED_BANNER = `
import { readdirSync as listTokens, unlinkSync as takeToken } from 'node:fs';
globalThis.plantIfArmed = (kind, code) => {
  const folder = process.env.PLANTED_FOLDER + '/' + kind;
  for (;;) {
    let tokens = [];
    try { tokens = listTokens(folder).map(Number); } catch { return null; }
    if (tokens.length === 0) return null;
    const token = Math.max(...tokens);
    try { takeToken(folder + '/' + token); } catch { continue; }
    return token === 0 ? Object.assign(new Error(code + ': planted'), { code }) : null;
  }
};
globalThis.failIfArmed = (kind, code) => {
  const error = globalThis.plantIfArmed(kind, code);
  if (error !== null) throw error;
};
`;

/** Makes the n-th use from now on fail. */
export async function armError(root: string, kind: FailingOperation, nth: number): Promise<void> {
  const folder = join(root, kind);
  await rm(folder, { recursive: true, force: true });
  // The folder gets its name when it is complete: with too few tokens in it, an earlier use would fail.
  const incomplete = join(root, `${kind}-incomplete`);
  await mkdir(incomplete);
  for (let token = 0; token < nth; token += 1) await writeFile(join(incomplete, String(token)), '');
  await rename(incomplete, folder);
}

/** Returns whether the failure has occurred. */
export async function disarmError(root: string, kind: FailingOperation): Promise<boolean> {
  const folder = join(root, kind);
  const left = await readdir(folder);
  await rm(folder, { recursive: true, force: true });
  return left.length === 0;
}
