/** What is wrong with the worst answers on recordings, a line each, written by somebody who looked. */
export const RECORDING_REMARKS: Readonly<Record<string, string>> = {};
