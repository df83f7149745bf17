export function writeCrate(folder: string): string[];
