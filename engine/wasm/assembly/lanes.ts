// Operations across the lanes of one vector. Not exported from the module: v128 cannot cross its border.

@inline
export function sumLanes(v: v128): f32 {
  return f32x4.extract_lane(v, 0) + f32x4.extract_lane(v, 1) + (f32x4.extract_lane(v, 2) + f32x4.extract_lane(v, 3));
}

@inline
export function largestLane(v: v128): f32 {
  return max(
    max(f32x4.extract_lane(v, 0), f32x4.extract_lane(v, 1)),
    max(f32x4.extract_lane(v, 2), f32x4.extract_lane(v, 3)),
  );
}

// f32x4.max and f64.max of WebAssembly handle NaN and the sign of zero, in eight instructions or a branch that is often mispredicted. The
// kernels use pmax, which is one instruction: they never compare NaN, and the sign of zero does not matter to them.

/** x above zero, else zero. */
// @ts-ignore: decorator
@inline
export function orZero(x: f64): f64 {
  return f64x2.extract_lane(f64x2.pmax(f64x2.splat(0), f64x2.splat(x)), 0);
}

/**
 * Added to a float below 2²², it leaves the nearest whole number, ties to even, in the lowest bits of the sum. This takes two instructions; rounding and
 * then converting with all the cases of WebAssembly takes ten.
 */
export const ROUNDING_SHIFT: f32 = 12582912;
