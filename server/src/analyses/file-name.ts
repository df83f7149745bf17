const CHARACTERS_MAX = 255;

/** A name a person gave: kept as data and shown as data, never used as a path. Null when nothing is left of it. */
export function cleanFileName(name: string | undefined): string | null {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is removed
  const cleaned = (name ?? '').replace(/[\u0000-\u001f\u007f\ufffd]/g, '').trim();
  return cleaned === '' ? null : cleaned.slice(0, CHARACTERS_MAX);
}

/** As a form names it: browsers and curl write a quote and the ends of a line so, and nothing else. */
export function fileNameOfForm(name: string | undefined): string | null {
  return cleanFileName(name?.replaceAll('%22', '"').replace(/%0[ad]/gi, ''));
}

/** The last part of the address's path, as the name of what it leads to. */
export function fileNameOfUrl(url: string): string | null {
  const last = new URL(url).pathname.split('/').at(-1) ?? '';
  try {
    return cleanFileName(decodeURIComponent(last));
  } catch {
    return cleanFileName(last);
  }
}
