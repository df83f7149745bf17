/** Null if the bytes are not UTF-8 text. */
export function decodeText(bytes: Uint8Array): string | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    // A MIDI file can be valid UTF-8, but its header contains NULs.
    return text.includes('\0') ? null : text;
  } catch {
    return null;
  }
}
