/** Replaces control characters: names of files and songs are foreign text, which must not control the terminal. */
export function printable(text: string): string {
  return text.replace(/\p{Cc}/gu, '\u{fffd}');
}
