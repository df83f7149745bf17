/** File systems take 255 bytes; a number before it and an ending behind it come to this. */
const BYTES_MAX = 200;

/** A text as the name of a file that every system takes, cut to whole characters. */
export function safeFileName(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: Windows refuses them in names
  const safe = text.replaceAll(/[\u0000-\u001f<>:"/\\|?*]/g, '_');
  const { read } = new TextEncoder().encodeInto(safe, new Uint8Array(BYTES_MAX));
  return safe.slice(0, read);
}
