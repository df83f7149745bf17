import { createServer, type ServerResponse } from 'node:http';
import type { Random } from '../random.ts';
import { makeTone } from '../tone.ts';
import { listenOnLoopback } from './listen.ts';

/**
 * The behaviours of a web server with audio, and how often each is drawn relative to the others: most URLs serve, and every kind of
 * failure occurs within minutes. A URL keeps its behaviour, so that a retry meets the same one.
 */
const BEHAVIOURS = {
  serve: 12,
  /** 503 for the first request, audio afterwards. */
  'busy-once': 1,
  missing: 1,
  /** Sends half of the announced length and closes the connection. */
  'cut-short': 1,
  'not-audio': 1,
  /** Pauses in the middle. */
  drip: 1,
  /** Pauses long enough for a scenario to find the downloads and to stop their workers. */
  slow: 0,
  /** Audio that takes a while to analyse. */
  medium: 0,
  long: 0,
};
type Behaviour = keyof typeof BEHAVIOURS;

/** Less and more than the shortest lease of the scenarios, 1.2 s (variants/clocks.ts). */
const DRIP_MS = 800;
const SLOW_MS = 1_500;
/** Sent before the pause: the header, and the beginning of the audio. */
const FIRST_BYTES = 1_000;
const AUDIO_SECONDS = { medium: 40, long: 150 };

export type AudioOrigin = {
  url: string;
  /** From now on, URLs that were not requested before serve audio. */
  calm(): void;
  close(): Promise<void>;
};

export async function startAudioOrigin(random: Random): Promise<AudioOrigin> {
  const behaviours = new Map<string, Behaviour>();
  let weights: Record<string, number> = BEHAVIOURS;
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    const requested = /[?]as=([a-z-]+)$/.exec(path)?.[1] as Behaviour | undefined;
    const known = requested ?? behaviours.get(path);
    const behaviour = known ?? (random.weighted(weights) as Behaviour);
    behaviours.set(path, behaviour === 'busy-once' ? 'serve' : behaviour);
    answer(behaviour, toneOfPath(path), response);
  });
  const { url, close } = await listenOnLoopback(server);
  return {
    url,
    calm() {
      weights = { serve: 1 };
    },
    close,
  };
}

/** The frequency is a hash of the path, so that different URLs nearly always have different results. */
function toneOfPath(path: string): Buffer {
  const hash = [...path].reduce((sum, character) => (sum * 31 + character.charCodeAt(0)) % 997, 7);
  return makeTone({ toneHz: 200 + hash });
}

function answer(behaviour: Behaviour, audio: Buffer, response: ServerResponse): void {
  const headers = { 'content-type': 'audio/wav', 'content-length': String(audio.length) };
  switch (behaviour) {
    case 'serve':
      return void response.writeHead(200, headers).end(audio);
    case 'medium':
    case 'long': {
      const long = makeTone({ toneHz: 330, seconds: AUDIO_SECONDS[behaviour] });
      return void response.writeHead(200, { 'content-type': 'audio/wav' }).end(long);
    }
    case 'busy-once':
      return void response.writeHead(503, { 'retry-after': '1' }).end();
    case 'missing':
      return void response.writeHead(404).end('nothing here');
    case 'not-audio':
      return void response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><p>hello</p>');
    case 'cut-short':
      response.writeHead(200, headers);
      response.write(audio.subarray(0, audio.length / 2), () => response.destroy());
      return;
    case 'drip':
    case 'slow':
      response.writeHead(200, headers);
      response.write(audio.subarray(0, FIRST_BYTES));
      setTimeout(() => response.end(audio.subarray(FIRST_BYTES)), behaviour === 'slow' ? SLOW_MS : DRIP_MS);
  }
}
