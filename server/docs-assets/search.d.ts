/** Address, page, heading, text. */
export type Entry = { u: string; p: string; h: string; t: string };
export function createSearch(entries: readonly Entry[]): (query: string) => Entry[];
export function excerptOf(text: string, query: string): string;
