import { createServer } from 'node:http';
import { makeTone } from '../tone.ts';
import { listenOnLoopback } from './listen.ts';

/** Just above the 16,000 at which the service aborts a download (server/src/analyses/attempt/minimum-rate.ts). */
const BYTES_PER_SECOND = 18_000;
const STEP_MS = 100;
const WAV_HEADER_BYTES = 44;
/** 37 minutes at that rate: longer than the five that a download may take. */
const ANNOUNCED_BYTES = 40_000_000;

export type DrippingOrigin = {
  url: string;
  /** `lastedMs` is null while the connection is open. */
  connections: { openedMs: number; lastedMs: number | null }[];
  close(): Promise<void>;
};

/** A web server that sends audio slowly until the client disconnects. */
export async function startDrippingOrigin(): Promise<DrippingOrigin> {
  const connections: DrippingOrigin['connections'] = [];
  const tone = makeTone({ toneHz: 300 });
  const server = createServer((_request, response) => {
    const connection = { openedMs: performance.now(), lastedMs: null as number | null };
    connections.push(connection);
    response.writeHead(200, { 'content-type': 'audio/wav', 'content-length': String(ANNOUNCED_BYTES) });
    response.write(tone.subarray(0, WAV_HEADER_BYTES));
    const drip = Buffer.alloc((BYTES_PER_SECOND * STEP_MS) / 1000);
    const timer = setInterval(() => response.write(drip), STEP_MS);
    response.once('close', () => {
      clearInterval(timer);
      connection.lastedMs = performance.now() - connection.openedMs;
    });
  });
  const { url, close } = await listenOnLoopback(server);
  return { url, connections, close };
}
