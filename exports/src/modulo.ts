/** The remainder with the sign of `by`, unlike JavaScript's `%`: -1 modulo 12 is 11. */
export function mod(value: number, by: number): number {
  return ((value % by) + by) % by;
}
