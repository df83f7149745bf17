import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Chosen, as from a distant or busy server: four and a half minutes of MP3 take twenty seconds. */
const DISTANT_BYTES_PER_SECOND = 250_000;
const PIECES_PER_SECOND = 10;

/** A server that sends the same song at every address, slowly. */
export async function startSlowSource(song: Buffer): Promise<{ url: string; close(): void }> {
  const pieceBytes = DISTANT_BYTES_PER_SECOND / PIECES_PER_SECOND;
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'audio/mpeg', 'content-length': song.length });
    let sentBytes = 0;
    const timer = setInterval(() => {
      response.write(song.subarray(sentBytes, sentBytes + pieceBytes));
      sentBytes += pieceBytes;
      if (sentBytes < song.length) return;
      clearInterval(timer);
      response.end();
    }, 1000 / PIECES_PER_SECOND);
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
