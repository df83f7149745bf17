/** The order in which a DJ could play songs: neighbours on the Camelot wheel, and little change of tempo. */

/** By ear: one step on the wheel costs as much as this change of tempo. */
const STEP_COST_PERCENT = 3;

/** Starts with the slowest song, and continues each time with the one that costs least. */
export function orderSongs(songs) {
  const waiting = songs.toSorted((a, b) => a.bpm - b.bpm);
  const set = waiting.splice(0, 1);
  while (waiting.length > 0) {
    const costs = waiting.map((song) => costPercentOf(set.at(-1), song));
    set.push(...waiting.splice(costs.indexOf(Math.min(...costs)), 1));
  }
  return set;
}

function costPercentOf(from, to) {
  return STEP_COST_PERCENT * keySteps(from.camelot, to.camelot) + Math.abs(tempoChangePercent(from, to));
}

/** Steps on the Camelot wheel: around it by fifths, and one across between minor (A) and major (B). */
export function keySteps(from, to) {
  const around = Math.abs(Number.parseInt(from, 10) - Number.parseInt(to, 10));
  return Math.min(around, 12 - around) + (from.at(-1) === to.at(-1) ? 0 : 1);
}

/** How much the second song must change to match the first, at its own, double or half tempo. */
export function tempoChangePercent(from, to) {
  const changes = [1, 2, 0.5].map((factor) => (from.bpm / (to.bpm * factor) - 1) * 100);
  return changes.toSorted((a, b) => Math.abs(a) - Math.abs(b))[0];
}
