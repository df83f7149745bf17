/** The name of a group by its number from 0: A to Z, then AA, AB, … */
export function nameGroup(group: number): string {
  const letter = String.fromCharCode(65 + (group % 26));
  return group < 26 ? letter : nameGroup(Math.floor(group / 26) - 1) + letter;
}
