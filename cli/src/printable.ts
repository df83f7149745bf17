/** For a terminal: names of files and songs are whatever their owner wrote, also what a terminal would obey. */
export function printable(text: string): string {
  return text.replace(/\p{Cc}/gu, '\u{fffd}');
}
