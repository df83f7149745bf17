export const ROOT: string;
export const MODULES: Record<string, string>;
export function hashSources(folder: string): string;
