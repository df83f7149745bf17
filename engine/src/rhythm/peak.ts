/** The fractional position of a peak: the vertex of the parabola through it and its neighbours, at most half a frame away. */
export function interpolatePeak(curve: Float32Array, frame: number): number {
  const before = curve[frame - 1];
  const at = curve[frame];
  const after = curve[frame + 1];
  if (before === undefined || at === undefined || after === undefined) return frame;
  const bend = before - 2 * at + after;
  // A flat curve has no vertex.
  if (bend > -1e-9) return frame;
  return frame + Math.max(-0.5, Math.min(0.5, (0.5 * (before - after)) / bend));
}
