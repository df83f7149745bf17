// Operations across the lanes of a vector, and rounding. Not exported from the module, because v128 cannot be passed to JavaScript.

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

// WebAssembly's f32x4.max and f64.max handle NaN and the sign of zero, which takes eight instructions or an often mispredicted branch. The
// kernels use pmax, a single instruction: they never compare NaN, and the sign of zero does not matter.

/** The larger of x and zero. */
@inline
export function orZero(x: f64): f64 {
  return f64x2.extract_lane(f64x2.pmax(f64x2.splat(0), f64x2.splat(x)), 0);
}

/**
 * 1.5 · 2²³. Added to a float of magnitude below 2²², it leaves the nearest integer (ties to even) in the lowest bits of the sum. That takes two
 * instructions; WebAssembly's rounding and conversion, with their special cases, take ten.
 */
export const ROUNDING_SHIFT: f32 = 12582912;
