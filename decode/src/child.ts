/**
 * The child: reads encoded audio from descriptor 3, writes messages to standard output, opens nothing. It runs behind
 * the walls of sandbox.ts and is killed when it takes too long, so it may block, and does: reads and writes are
 * synchronous, and a full pipe is what slows it down.
 */

import { fstatSync } from 'node:fs';
import { judgeStream } from './child/judge-stream.ts';
import { lockDown } from './child/lock-down.ts';
import { openAudio } from './child/open-audio.ts';
import { proveWalls } from './child/prove-walls.ts';
import { readTags } from './child/read-tags.ts';
import { SampleOutput } from './child/sample-output.ts';
import { DecodeError } from './decode-error.ts';
import type { EndMessage, ErrorMessage, StartMessage, WallsMessage } from './messages.ts';
import { FileBytes } from './stream/file-bytes.ts';

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
          : (stream.nominalBitRateBps ?? null),
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
  const damage = judgeStream(stream, output);
  const end: EndMessage = { nonFiniteSamples: output.nonFiniteSamples, damage };
  output.writeJson('end', end);
}

/** Whatever a decoder throws is the fault of its input, unless it ran out of memory. */
function describeFailure(error: unknown): ErrorMessage {
  const detail = error instanceof Error ? `${error.stack}\n${error.cause ?? ''}` : String(error);
  if (error instanceof DecodeError) return { code: error.code, message: error.message, detail };
  if (error instanceof RangeError && /allocation|memory|Invalid typed array length/i.test(error.message)) {
    return { code: 'out_of_memory', message: 'Decoding the file takes more memory than it may.', detail };
  }
  return { code: 'corrupt_audio', message: 'The audio is damaged and cannot be decoded.', detail };
}

const output = new SampleOutput(OUTPUT_FD);
lockDown();
const walls: WallsMessage = { walls: proveWalls() };
output.writeJson('walls', walls);
// Codecs talk to the console about every bad packet, millions of times if the file wants.
for (const name of ['log', 'info', 'warn', 'error', 'debug', 'trace'] as const) console[name] = () => {};
// Asked for its walls alone, by whoever starts the service.
if (process.argv[2] === 'walls') process.exit(0);
main(output).then(
  () => process.exit(0),
  (error) => {
    output.writeJson('error', describeFailure(error));
    process.exit(0);
  },
);
