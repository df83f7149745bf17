// Compares one sound embedding with many, four numbers at a time, because a query reads every embedding of the library.
// Twin: compareReference in src/library/sound-matrix.test.ts.

/**
 * For each of `rowCount` rows of `stride` numbers, writes Σ own·row to `dots` and Σ mask·row² to `squares`, over the columns from `from`
 * up to but not including `to`. `from`, `to` and `stride` are multiples of four; `own`, `mask` and `rows` are 32-bit floats.
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
