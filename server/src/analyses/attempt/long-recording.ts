/** Beyond this an engine collects its garbage more eagerly, and ends afterwards: so much memory is not kept for the next song. */
export const LONG_RECORDING_SECONDS = 20 * 60;
