/** The beginning of a text, of at most so many UTF-16 code units, that does not end within a surrogate pair. */
export function startOf(text: string, charactersMax: number): string {
  return text.slice(0, charactersMax).replace(/[\ud800-\udbff]$/, '');
}
