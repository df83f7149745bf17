import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { readBytes } from './read-bytes.ts';

afterEach(() => void vi.useRealTimers());

/** A request whose body the test writes. */
function request(headers: Record<string, string> = {}) {
  return Object.assign(new PassThrough(), { headers }) as PassThrough & IncomingMessage;
}

describe('a small body', () => {
  it('is read whole up to its limit, and refused one byte beyond it', async () => {
    const [fits, tooLong] = [request(), request()];
    fits.end('12345');
    expect(String(await readBytes(fits, 5))).toBe('12345');
    tooLong.write('12345');
    tooLong.write('6');
    await expect(readBytes(tooLong, 5)).rejects.toMatchObject({ code: 'payload_too_large' });
  });

  it('is refused without being read when its declared length is too long or it is compressed', async () => {
    const declared = readBytes(request({ 'content-length': '6' }), 5);
    await expect(declared).rejects.toMatchObject({ code: 'payload_too_large' });
    const packed = readBytes(request({ 'content-encoding': 'gzip' }), 5);
    await expect(packed).rejects.toMatchObject({ code: 'unsupported_media' });
  });

  it('is refused when it is not complete after twenty seconds, and not before', async () => {
    vi.useFakeTimers();
    const slow = request();
    const reading = readBytes(slow, 5);
    const refused = vi.fn();
    reading.catch(refused);
    slow.write('1');
    await vi.advanceTimersByTimeAsync(19_999);
    expect(refused).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    await expect(reading).rejects.toThrow('The body did not arrive in time.');
    expect([vi.getTimerCount(), slow.listenerCount('data')]).toEqual([0, 0]);
  });

  it('is refused when the connection breaks', async () => {
    const broken = request();
    const reading = readBytes(broken, 5);
    broken.destroy();
    await expect(reading).rejects.toMatchObject({
      code: 'bad_request',
      message: 'The body could not be read.',
    });
  });
});
