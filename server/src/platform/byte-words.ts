const UNITS = [
  ['GiB', 2 ** 30],
  ['GB', 1e9],
  ['MiB', 2 ** 20],
  ['MB', 1e6],
  ['KiB', 2 ** 10],
  ['kB', 1e3],
] as const;

/** A size as a person would say it, exact: `50 MB` for 50,000,000, `1 MiB` for 1,048,576, otherwise the bytes. */
export function sayBytes(bytes: number): string {
  const unit = UNITS.find(([, size]) => bytes >= size && bytes % size === 0);
  return unit ? `${bytes / unit[1]} ${unit[0]}` : `${bytes} bytes`;
}
