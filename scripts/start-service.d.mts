export function startService(
  settings?: Record<string, string>,
  node?: string,
): Promise<{ url: string; stop: () => Promise<void> }>;
