/** The twin of the kernel `addPowers`. */
export function addPowersTwin(re: Float32Array, im: Float32Array, powers: Float64Array): void {
  for (let bin = 0; bin < powers.length; bin++) powers[bin]! += re[bin]! ** 2 + im[bin]! ** 2;
}
