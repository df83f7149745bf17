import { afterEach, describe, expect, it, vi } from 'vitest';
import { postFile, putFile } from './send-file.ts';

/** Stubs XMLHttpRequest to respond as soon as a request is sent; status null for a lost connection. */
function respondWith(status: number | null, responseText = '') {
  const sent: { method: string; url: string; headers: Record<string, string>; body: unknown }[] = [];
  class Responded {
    readonly status = status;
    readonly responseText = responseText;
    readonly upload = { onprogress: (_: object) => {} };
    onload = () => {};
    onerror = () => {};
    onabort = () => {};
    readonly #call = { method: '', url: '', headers: {} as Record<string, string>, body: null as unknown };
    open(method: string, url: string) {
      Object.assign(this.#call, { method, url });
    }
    setRequestHeader(name: string, value: string) {
      this.#call.headers[name] = value;
    }
    abort() {
      this.onabort();
    }
    send(body: unknown) {
      sent.push({ ...this.#call, body });
      this.upload.onprogress({ lengthComputable: false, loaded: 1, total: 0 });
      this.upload.onprogress({ lengthComputable: true, loaded: 1, total: 4 });
      queueMicrotask(() => (status === null ? this.onerror() : this.onload()));
    }
  }
  vi.stubGlobal('XMLHttpRequest', Responded);
  return sent;
}
const FILE = new File(['RIFF'], 'song.wav');

describe('sending a file', () => {
  afterEach(() => vi.unstubAllGlobals());

  it.each([200, 201, 204])('succeeds with status %d, reporting progress', async (status) => {
    const sent = respondWith(status, 'fine');
    const fractions: number[] = [];
    const onProgress = (fraction: number) => fractions.push(fraction);
    expect(await putFile('/slot', FILE, 'audio/wav', { onProgress })).toBe('fine');
    expect(sent).toEqual([
      { method: 'PUT', url: '/slot', headers: { 'content-type': 'audio/wav' }, body: FILE },
    ]);
    expect(fractions).toEqual([0.25]);
  });

  it('posts a form, whose content type the browser sets', async () => {
    const sent = respondWith(202, 'fine');
    const form = new FormData();
    expect(await postFile('/v1/demo/analyze/upload', form, { onProgress: () => {} })).toBe('fine');
    expect(sent).toEqual([{ method: 'POST', url: '/v1/demo/analyze/upload', headers: {}, body: form }]);
  });

  it.each([
    [403, '{"detail":"The URL has expired."}', 'The URL has expired.'],
    [413, '<html>Too large</html>', 'The file could not be uploaded.'],
    [422, '{"detail":[{"msg":"Field required"}]}', 'The file could not be uploaded.'],
    [302, '', 'The file could not be uploaded.'],
    [503, '{"detail":"Try again."}', 'Try again.'],
    [502, '<html>Bad gateway</html>', 'The file could not be uploaded.'],
    [null, '', 'The connection broke while the file was on its way.'],
  ])('fails with status %s', async (status, text, sentence) => {
    respondWith(status, text);
    const sending = postFile('/v1/demo/analyze/upload', new FormData(), { onProgress: () => {} });
    await expect(sending).rejects.toThrow(sentence);
  });

  it('rejects with the reason of the signal when aborted, before or after it was sent', async () => {
    const sent = respondWith(200);
    const stop = new AbortController();
    const options = { onProgress: () => {}, signal: stop.signal };
    const sending = putFile('/slot', FILE, 'audio/wav', options);
    stop.abort(new Error('left'));
    await expect(sending).rejects.toThrow('left');
    await expect(putFile('/slot', FILE, 'audio/wav', options)).rejects.toThrow('left');
    expect(sent).toHaveLength(1);
  });
});
