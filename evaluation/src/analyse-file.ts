/** From an audio file to the engine's result in this process, with the processor time of both halves. */

import { decodeFile } from '@earshot/decode';
import {
  type AnalysisModels,
  type AnalysisOptions,
  type AnalysisResult,
  startAnalysis,
} from '@earshot/engine';

export type TimedAnalysis = {
  result: AnalysisResult;
  /** Processor seconds of this process: the engine, and reading the decoder's pipe. */
  engineCpuSeconds: number;
};

export async function analyseFile(
  path: string,
  models: AnalysisModels,
  options: AnalysisOptions = {},
): Promise<TimedAnalysis> {
  const before = process.cpuUsage();
  const session = await decodeFile(path);
  const analysis = startAnalysis(session.format, options, models);
  for await (const block of session.blocks) analysis.push(block);
  await session.finish();
  const result = analysis.finish();
  const used = process.cpuUsage(before);
  return { result, engineCpuSeconds: (used.user + used.system) / 1e6 };
}
