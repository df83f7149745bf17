export function replaceSection(path: string, name: string, text: string): void;
