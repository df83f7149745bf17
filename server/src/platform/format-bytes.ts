const UNITS = [
  ['GiB', 2 ** 30],
  ['GB', 1e9],
  ['MiB', 2 ** 20],
  ['MB', 1e6],
  ['KiB', 2 ** 10],
  ['kB', 1e3],
] as const;

/** Exact, in the largest unit that divides the size: `50 MB` for 50,000,000, `1 MiB` for 1,048,576, otherwise bytes. */
export function formatBytes(bytes: number): string {
  const unit = UNITS.find(([, size]) => bytes >= size && bytes % size === 0);
  return unit ? `${bytes / unit[1]} ${unit[0]}` : `${bytes} bytes`;
}
