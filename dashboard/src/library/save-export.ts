import { earshot } from '../api.ts';
import { formatSongCount } from '../format.ts';
import type { CrateFormat } from './crate-formats.ts';

/** Several songs, or one, as one file; answers with what to say of it. */
export async function saveExport(ids: string[], format: CrateFormat): Promise<string> {
  const { bytes, songs, fileName } = await earshot.analyses.exportMany({ ids }, format);
  saveFile(bytes, fileName);
  return `${formatSongCount(songs)} exported.`;
}

/** Every browser has begun to read a download by then. */
const DOWNLOAD_BEGUN_MS = 60_000;

/** Hands bytes to the person as a file, as a link to it would. */
function saveFile(bytes: Uint8Array, name: string): void {
  const url = URL.createObjectURL(new Blob([new Uint8Array(bytes)]));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // Without this it stays in memory as long as the page.
  setTimeout(() => URL.revokeObjectURL(url), DOWNLOAD_BEGUN_MS);
}
