/** One file on this machine: the same decoder, engine and document as the service. */

import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { decodeFile } from '@earshot/decode';
import { type AnalysisHints, type AnalysisModels, startAnalysis, type Visuals } from '@earshot/engine';
import { buildResultDocument, type ResultDocument } from '@earshot/exports';

/** Share of the progress bar that decoding and listening take; the rest is thinking. */
const LISTENING_SHARE = 0.7;

export async function analyseFile(
  path: string,
  hints: AnalysisHints,
  models: AnalysisModels,
  onProgress: (fraction: number) => void,
): Promise<{ document: ResultDocument; visuals: Visuals }> {
  const startedMs = Date.now();
  const session = await decodeFile(path, {
    onProgress: (fraction) => onProgress(fraction * LISTENING_SHARE),
  });
  try {
    const analysis = startAnalysis(session.format, { hints }, models);
    for await (const block of session.blocks) analysis.push(block);
    const decoded = await session.finish();
    const result = analysis.finish((_stage, fraction) =>
      onProgress(LISTENING_SHARE + fraction * (1 - LISTENING_SHARE)),
    );
    if (result.quality) result.quality.nonFiniteSamples = decoded.nonFiniteSamples;
    const document = buildResultDocument({
      analysis: result,
      file: { ...session.info, durationSeconds: decoded.durationSeconds, sha256: await sha256OfFile(path) },
      analysedAt: new Date(),
      analysisSeconds: (Date.now() - startedMs) / 1000,
      options: { features: null, hints },
    });
    return { document, visuals: result.visuals };
  } finally {
    session.kill();
  }
}

async function sha256OfFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}
