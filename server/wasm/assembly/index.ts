// How alike one embedding is to many, four numbers at a time: a library of a hundred thousand is 25 million products a question, which
// V8 takes a quarter of a second for. Twin: compareReference in src/library/sound-matrix.test.ts.

/**
 * For each of `rowCount` rows of `stride` numbers: Σ own · row into `dots`, and Σ mask · row² into `squares`, over the numbers from
 * `from` to `to`. Both ends and the stride are multiples of four.
 */
export function compareRows(
  own: usize, mask: usize, rows: usize, rowCount: i32, stride: i32, from: i32, to: i32, dots: usize, squares: usize,
): void {
  const start = <usize>from << 2;
  const end = <usize>to << 2;
  for (let row = 0; row < rowCount; row++, rows += <usize>stride << 2, dots += 4, squares += 4) {
    let dot = f32x4.splat(0);
    let square = f32x4.splat(0);
    for (let at = start; at < end; at += 16) {
      const values = v128.load(rows + at);
      dot = f32x4.add(dot, f32x4.mul(values, v128.load(own + at)));
      square = f32x4.add(square, f32x4.mul(f32x4.mul(values, values), v128.load(mask + at)));
    }
    store<f32>(dots, sumLanes(dot));
    store<f32>(squares, sumLanes(square));
  }
}

function sumLanes(v: v128): f32 {
  return f32x4.extract_lane(v, 0) + f32x4.extract_lane(v, 1) + f32x4.extract_lane(v, 2) + f32x4.extract_lane(v, 3);
}
