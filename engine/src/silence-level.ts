/** RMS of a recording at or below which it counts as silent: -80 dBFS, below which lies dither, not music. */
export const SILENCE_RMS = 1e-4;
