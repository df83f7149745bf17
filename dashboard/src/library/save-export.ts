import { earshot } from '../api.ts';
import { formatSongCount } from '../format.ts';
import type { CrateFormat } from './crate-formats.ts';

/** Downloads an export of the songs as one file; resolves to the message for the user. */
export async function saveExport(ids: string[], format: CrateFormat): Promise<string> {
  const { bytes, songs, fileName } = await earshot.analyses.exportMany({ ids }, format);
  saveFile(bytes, fileName);
  return `${formatSongCount(songs)} exported.`;
}

/** No event says that the browser has read the blob; a download starts within moments, so a minute is ample. */
const REVOKE_DELAY_MS = 60_000;

function saveFile(bytes: Uint8Array, name: string): void {
  const url = URL.createObjectURL(new Blob([new Uint8Array(bytes)]));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // Until it is revoked, the URL keeps the bytes in memory.
  setTimeout(() => URL.revokeObjectURL(url), REVOKE_DELAY_MS);
}
