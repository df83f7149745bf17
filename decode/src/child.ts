/**
 * The child: reads encoded audio from descriptor 3, writes messages to standard output, and opens no files but its own code. It runs
 * behind the walls of sandbox.ts. Reads and writes are synchronous, and a full pipe makes it wait for its reader: it may block, because
 * the parent kills it when it takes too long.
 */

import { fstatSync } from 'node:fs';
import { describeFailure } from './child/describe-failure.ts';
import { judgeStream } from './child/judge-stream.ts';
import { lockDown } from './child/lock-down.ts';
import { openAudio } from './child/open-audio.ts';
import { proveWalls } from './child/prove-walls.ts';
import { readTags } from './child/read-tags.ts';
import { SampleOutput } from './child/sample-output.ts';
import type { EndMessage, StartMessage, WallsMessage } from './messages.ts';
import { FileBytes } from './stream/file-bytes.ts';

/** As the parent passes them (child-process.ts). */
const INPUT_FD = 3;
const OUTPUT_FD = 1;

async function main(output: SampleOutput): Promise<void> {
  const source = new FileBytes(INPUT_FD, fstatSync(INPUT_FD).size);
  const { container, stream } = await openAudio(source);
  const { tags, hasCoverArt } = await readTags(source, container);
  const declaredSeconds =
    stream.declaredSamples === null ? null : stream.declaredSamples / stream.sampleRateHz;
  const start: StartMessage = {
    info: {
      container: stream.container,
      codec: stream.codec,
      sampleRateHz: stream.sampleRateHz,
      channels: stream.channelCount,
      bitDepth: stream.bitDepth,
      bitRateBps:
        stream.audioBytes && declaredSeconds
          ? Math.round((stream.audioBytes * 8) / declaredSeconds)
          : stream.nominalBitRateBps,
      declaredDurationSeconds: declaredSeconds,
      byteSize: source.byteSize,
      tags,
      hasCoverArt,
      decoder: stream.decoder,
    },
  };
  output.writeJson('start', start);
  source.furthestByte = 0;
  for await (const samples of stream.blocks) {
    output.writeSamples(samples, source.furthestByte / source.byteSize, stream.health.silencedSamples);
  }
  const end: EndMessage = {
    nonFiniteSamples: output.nonFiniteSamples,
    damage: judgeStream(stream, output),
  };
  output.writeJson('end', end);
}

const output = new SampleOutput(OUTPUT_FD);
lockDown();
const walls: WallsMessage = { walls: proveWalls() };
output.writeJson('walls', walls);
// Codecs print a line for each damaged packet; a hostile file could make them print millions.
for (const name of ['log', 'info', 'warn', 'error', 'debug', 'trace'] as const) console[name] = () => {};
// When the service starts, it asks only for the walls.
if (process.argv[2] === 'walls') process.exit(0);
main(output).then(
  () => process.exit(0),
  (error) => {
    output.writeJson('error', describeFailure(error));
    process.exit(0);
  },
);
