/** Compares as JSON, in which an undefined item of a list is null. */
export function expect(actual, expected) {
  const [left, right] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (left !== right) throw new Error(`Expected ${right}, got ${left}`);
}
