/** The keys that mix with one on the Camelot wheel: the other mode at the same hour, and one hour to either side. */
export function mixesWith(camelot: string): string[] {
  const hour = Number.parseInt(camelot, 10);
  const letter = camelot.at(-1);
  return [
    `${hour}${letter === 'A' ? 'B' : 'A'}`,
    `${(hour % 12) + 1}${letter}`,
    `${((hour + 10) % 12) + 1}${letter}`,
  ];
}
