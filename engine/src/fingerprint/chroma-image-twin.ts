/** The twin of the kernel foldPowers: adds the power of each bin to its pitch class in `chroma`. */
export function foldPowersTwin(
  re: Float32Array,
  im: Float32Array,
  classes: Uint8Array,
  chroma: Float64Array,
): void {
  classes.forEach((pitchClass, bin) => {
    chroma[pitchClass]! += re[bin]! * re[bin]! + im[bin]! * im[bin]!;
  });
}
