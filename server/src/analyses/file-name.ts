import { truncateText } from '../platform/truncate-text.ts';

/** The limit of NTFS and APFS; other file systems allow 255 bytes. */
const CHARACTERS_MAX = 255;

/** A name given by a client: stored and shown as data, never used as a path. Null when nothing is left of it. */
export function cleanFileName(name: string | undefined): string | null {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is removed
  const cleaned = (name ?? '').replace(/[\u0000-\u001f\u007f\ufffd]/g, '').trim();
  return truncateText(cleaned, CHARACTERS_MAX) || null;
}

/** The name in a form: browsers and curl escape quotes and line ends (HTML standard, multipart/form-data), and nothing else. */
export function fileNameOfForm(name: string | undefined): string | null {
  return cleanFileName(name?.replaceAll('%22', '"').replace(/%0[ad]/gi, ''));
}

/** The name without `.mp3` and the like. Null when nothing is left of it. */
export function withoutExtension(fileName: string | null): string | null {
  return fileName?.replace(/\.[A-Za-z0-9]{1,5}$/, '') || null;
}

/** The last part of the URL's path. */
export function fileNameOfUrl(url: string): string | null {
  const last = new URL(url).pathname.split('/').at(-1) ?? '';
  try {
    return cleanFileName(decodeURIComponent(last));
  } catch {
    return cleanFileName(last);
  }
}
