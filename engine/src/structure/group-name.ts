/** Letters for a group's number: 0 is A, 25 is Z, 26 is AA. */
export function nameGroup(group: number): string {
  const letter = String.fromCharCode(65 + (group % 26));
  return group < 26 ? letter : nameGroup(Math.floor(group / 26) - 1) + letter;
}
