export function whileCollecting<T>(work: () => Promise<T>): Promise<T>;
