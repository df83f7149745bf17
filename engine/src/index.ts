export {
  type Analysis,
  analyse,
  startAnalysis,
} from './analyse.ts';
export type { AnalysisModels, ProgressListener } from './hear-music.ts';
export { ModelError } from './learned/model-error.ts';
export { ParameterError } from './parameter-error.ts';
export * from './result.ts';
export { readSegmentSound, type SegmentSounds } from './segments/segment-sounds.ts';
export { listSegments } from './segments/segment-spans.ts';
/** For profilers such as evaluation/src/profile.ts. */
export { listKernelNames } from './signal/kernel-names.ts';
export type { PcmBlock, PcmFormat } from './signal/pcm.ts';
export { type SpectrumBands, summariseBands } from './spectrum-bands.ts';
export { nameGroup } from './structure/group-name.ts';
export { isChordQuality } from './tonal/chord-quality.ts';
export { keyNumberOf, pitchNameOf, spellPitchClass } from './tonal/key-name.ts';
export { notateCamelot, notateKey, notateOpenKey } from './tonal/key-notation.ts';
export { toRomanNumeral } from './tonal/roman-numeral.ts';
export { ENGINE_VERSION } from './version.ts';
export type { Heatmap, Visuals } from './visuals.ts';
export { mergePixels } from './waveform/waveform.ts';
