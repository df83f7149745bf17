/** Twin of the kernel projectOnto: adds to `out` the dot product of each row of the basis with the values. */
export function projectOntoTwin(basis: Float64Array, values: Float64Array, out: Float64Array): void {
  for (let k = 0; k < out.length; k++) {
    for (let n = 0; n < values.length; n++) out[k]! += basis[k * values.length + n]! * values[n]!;
  }
}
