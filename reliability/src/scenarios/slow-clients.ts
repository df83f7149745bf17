import { connect, type Socket } from 'node:net';
import { secondsOf } from '../seconds.ts';

const BYTE_EVERY_MS = 1_000;
/** Above the limits that load.ts checks. */
const OPEN_MS_MAX = 60_000;

/**
 * Opens connections that send a byte a second; returns after how long the service closed the last of each kind. Throws if it closed all of
 * a kind before their first late byte: then no client was slow.
 */
export async function holdSlowClients(
  port: number,
  apiKey: string,
  counts: { headers: number; bodies: number },
): Promise<{ headersCutSeconds: number; bodiesCutSeconds: number }> {
  const header = 'GET /v1/usage HTTP/1.1\r\nHost: localhost\r\nX-Slow: ';
  const body =
    `POST /v1/analyze/url HTTP/1.1\r\nHost: localhost\r\nX-Api-Key: ${apiKey}\r\n` +
    'Content-Type: application/json\r\nContent-Length: 500\r\n\r\n{';
  const hold = async (count: number, opening: string) => {
    const cutSeconds = Math.max(
      ...(await Promise.all(Array.from({ length: count }, () => drip(port, opening)))),
    );
    if (cutSeconds * 1000 < BYTE_EVERY_MS)
      throw new Error(`All ${count} slow connections were closed at once: ${opening.split('\r\n')[0]}`);
    return cutSeconds;
  };
  const [headersCutSeconds, bodiesCutSeconds] = await Promise.all([
    hold(counts.headers, header),
    hold(counts.bodies, body),
  ]);
  return { headersCutSeconds, bodiesCutSeconds };
}

/** Seconds until the service refuses the connection, or closes it once it is open, or OPEN_MS_MAX is over. */
function drip(port: number, opening: string): Promise<number> {
  return new Promise((resolve) => {
    let openedMs = performance.now();
    let timer: NodeJS.Timeout | undefined;
    const socket: Socket = connect(port, '127.0.0.1', () => {
      openedMs = performance.now();
      socket.write(opening);
      timer = setInterval(() => socket.write('x'), BYTE_EVERY_MS);
    });
    const timeout = setTimeout(() => socket.destroy(), OPEN_MS_MAX);
    socket.on('data', () => {});
    socket.on('end', () => socket.destroy());
    socket.on('error', () => {});
    socket.on('close', () => {
      clearInterval(timer);
      clearTimeout(timeout);
      resolve(secondsOf(performance.now() - openedMs));
    });
  });
}
