import { afterEach, describe, expect, it, vi } from 'vitest';
import { postFile, putFile } from './send-file.ts';

/** A request that is answered as soon as it is sent; status 0 for a connection that breaks. */
function answerWith(status: number, responseText = '') {
  const sent: { method: string; url: string; headers: Record<string, string>; body: unknown }[] = [];
  class Answered {
    readonly status = status;
    readonly responseText = responseText;
    readonly upload = { onprogress: (_: object) => {} };
    onload = () => {};
    onerror = () => {};
    readonly #call = { method: '', url: '', headers: {} as Record<string, string>, body: null as unknown };
    open(method: string, url: string) {
      Object.assign(this.#call, { method, url });
    }
    setRequestHeader(name: string, value: string) {
      this.#call.headers[name] = value;
    }
    send(body: unknown) {
      sent.push({ ...this.#call, body });
      this.upload.onprogress({ lengthComputable: true, loaded: 1, total: 4 });
      queueMicrotask(() => (status === 0 ? this.onerror() : this.onload()));
    }
  }
  vi.stubGlobal('XMLHttpRequest', Answered);
  return sent;
}
const FILE = new File(['RIFF'], 'song.wav');

describe('a file on its way', () => {
  afterEach(() => vi.unstubAllGlobals());

  it.each([200, 201, 204])('has arrived when the answer is %d', async (status) => {
    const sent = answerWith(status, 'fine');
    const fractions: number[] = [];
    const onProgress = (fraction: number) => fractions.push(fraction);
    expect(await putFile('/slot', FILE, 'audio/wav', { onProgress })).toBe('fine');
    expect(sent).toEqual([
      { method: 'PUT', url: '/slot', headers: { 'content-type': 'audio/wav' }, body: FILE },
    ]);
    expect(fractions).toEqual([0.25]);
  });

  it.each([
    [403, '{"detail":"The address has run out."}', 'The address has run out.'],
    [413, '<html>Too large</html>', 'The file was refused.'],
    [422, '{"detail":[{"msg":"Field required"}]}', 'The file was refused.'],
    [302, '', 'The file was refused.'],
    [503, '{"detail":"Try again."}', 'Try again.'],
    [0, '', 'The connection broke while the file was on its way.'],
  ])('has not when it is %d', async (status, text, sentence) => {
    answerWith(status, text);
    const sent = postFile('/v1/demo/analyze/upload', new FormData(), { onProgress: () => {} });
    await expect(sent).rejects.toThrow(sentence);
  });
});
