/** A recording with this RMS or less counts as silent: -80 dBFS, where only noise and dither are left. */
export const SILENCE_RMS = 1e-4;
