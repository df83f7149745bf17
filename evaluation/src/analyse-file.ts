/** From an audio file to the engine's result in this process, with the processor time of this process. */

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
  /** The engine, and reading what the decoder sends. */
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
