import { connect, type Socket } from 'node:net';
import { secondsOf } from '../seconds.ts';

const DRIP_MS = 1_000;
/** Chosen: above the limits that the caller checks. */
const GIVE_UP_MS = 60_000;

/** Opens clients that send a byte a second; returns when the service has cut the last of each kind. */
export async function holdSlowClients(
  port: number,
  apiKey: string,
  counts: { headers: number; bodies: number },
): Promise<{ headersCutSeconds: number; bodiesCutSeconds: number }> {
  const header = 'GET /v1/usage HTTP/1.1\r\nHost: localhost\r\nX-Slow: ';
  const body =
    `POST /v1/analyze/url HTTP/1.1\r\nHost: localhost\r\nX-Api-Key: ${apiKey}\r\n` +
    'Content-Type: application/json\r\nContent-Length: 500\r\n\r\n{';
  const hold = async (count: number, opening: string) =>
    Math.max(...(await Promise.all(Array.from({ length: count }, () => drip(port, opening)))));
  const [headersCutSeconds, bodiesCutSeconds] = await Promise.all([
    hold(counts.headers, header),
    hold(counts.bodies, body),
  ]);
  return { headersCutSeconds, bodiesCutSeconds };
}

/** Seconds until the service has closed the connection, or this side gives up. */
function drip(port: number, opening: string): Promise<number> {
  const startedMs = performance.now();
  return new Promise((resolve) => {
    const socket: Socket = connect(port, '127.0.0.1', () => socket.write(opening));
    const timer = setInterval(() => socket.write('x'), DRIP_MS);
    const giveUp = setTimeout(() => socket.destroy(), GIVE_UP_MS);
    socket.on('data', () => {});
    socket.on('end', () => socket.destroy());
    socket.on('error', () => {});
    socket.on('close', () => {
      clearInterval(timer);
      clearTimeout(giveUp);
      resolve(secondsOf(performance.now() - startedMs));
    });
  });
}
