import { randomUUID } from 'node:crypto';
import { readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { SNIFF_BYTES, sniffFormat } from '@earshot/decode';
import { tagFlac } from './flac.ts';
import { tagMpeg } from './id3.ts';
import { tagMp4 } from './mp4.ts';
import { tagOgg } from './ogg.ts';
import { type SongTags, TagsUnavailable } from './song-tags.ts';
import { tagWav } from './wav.ts';

const WRITERS: Partial<Record<string, (file: Uint8Array, tags: SongTags) => Uint8Array>> = {
  mpeg: tagMpeg,
  flac: tagFlac,
  ogg: tagOgg,
  mp4: tagMp4,
  wav: tagWav,
};

/** As much as `readFile` reads. */
const FILE_BYTES_MAX = 2 ** 31 - 1;

/** Copies `path` with these tags to `copyPath`. Throws TagsUnavailable when the file cannot be tagged. */
export async function writeTaggedCopy(path: string, copyPath: string, tags: SongTags): Promise<void> {
  if ((await stat(path)).size > FILE_BYTES_MAX) throw new TagsUnavailable('it is larger than 2 GiB');
  const file = await readFile(path);
  const sniffed = sniffFormat(file.subarray(0, SNIFF_BYTES));
  const container = sniffed?.kind === 'audio' ? sniffed.container : 'something else';
  const write = WRITERS[container];
  if (!write)
    throw new TagsUnavailable(`tags are written to MP3, FLAC, Ogg, M4A and WAV, and this is ${container}`);
  const tagged = write(file, tags);
  // A song found through a link can have its copy in the folder in which it really is.
  if ((await realpath(path)) === (await realpath(copyPath).catch(() => null)))
    throw new TagsUnavailable('the copy would replace it');
  // Not the song's name plus an extension: another program may use that name, and it can be longer than a file system allows.
  const partial = join(dirname(copyPath), `.earshot-${randomUUID()}.part`);
  try {
    await writeFile(partial, tagged);
    await rename(partial, copyPath);
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
}
