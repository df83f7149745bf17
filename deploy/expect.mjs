/** Compared as JSON, where undefined in a list is null. */
export function expect(actual, wanted) {
  const [left, right] = [JSON.stringify(actual), JSON.stringify(wanted)];
  if (left !== right) throw new Error(`Expected ${right}, got ${left}`);
}
