/** Decodes and analyses an audio file with the engine in this process, and measures its processor time. */

import { decodeFile } from '@earshot/decode';
import {
  type AnalysisModels,
  type AnalysisOptions,
  type AnalysisResult,
  startAnalysis,
} from '@earshot/engine';
import { ownCpuSeconds } from './cpu-time.ts';

export type TimedAnalysis = {
  result: AnalysisResult;
  /** Includes receiving the samples from the decoder's process, but not decoding. */
  engineCpuSeconds: number;
};

export async function analyseFile(
  path: string,
  models: AnalysisModels,
  options: AnalysisOptions = {},
): Promise<TimedAnalysis> {
  const beforeSeconds = ownCpuSeconds();
  const session = await decodeFile(path);
  const analysis = startAnalysis(session.format, options, models);
  for await (const block of session.blocks) analysis.push(block);
  await session.finish();
  const result = analysis.finish();
  return { result, engineCpuSeconds: ownCpuSeconds() - beforeSeconds };
}
