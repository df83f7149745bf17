export function sourceSha256(): string;
export function programPath(arch: string): string;
export function findCompiler(): string | null;
export function compileAll(compiler: string | null): Map<string, Buffer>;
