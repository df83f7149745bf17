/** The beginning of a text that fits into so many code units. A character of two of them stays whole: half of one is none. */
export function startOf(text: string, charactersMax: number): string {
  return text.slice(0, charactersMax).replace(/[\ud800-\udbff]$/, '');
}
