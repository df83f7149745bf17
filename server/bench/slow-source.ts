import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** As from a distant or busy server: three times the sample song, four and a half minutes of MP3, take 17 s. */
const BYTES_PER_SECOND = 250_000;
const CHUNKS_PER_SECOND = 10;

/** Starts a server that sends the same song for every path, slowly. */
export async function startSlowSource(song: Buffer): Promise<{ url: string; close(): void }> {
  const chunkBytes = BYTES_PER_SECOND / CHUNKS_PER_SECOND;
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'audio/mpeg', 'content-length': song.length });
    let sentBytes = 0;
    const timer = setInterval(() => {
      response.write(song.subarray(sentBytes, sentBytes + chunkBytes));
      sentBytes += chunkBytes;
      if (sentBytes < song.length) return;
      clearInterval(timer);
      response.end();
    }, 1000 / CHUNKS_PER_SECOND);
    response.once('close', () => clearInterval(timer));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
