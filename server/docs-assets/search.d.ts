export type Entry = { address: string; page: string; heading: string; text: string };
export function createSearch(entries: readonly Entry[]): (query: string) => Entry[];
export function excerptOf(text: string, query: string): string;
