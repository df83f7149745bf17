import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { fetchModels } from '../../models/fetch-models.ts';

/** Responds to a request below /models/ with the name of the file. */
const server = createServer((request, response) => {
  const [, folder, name] = request.url!.split('/');
  response.writeHead(folder === 'models' && name ? 200 : 404).end(name);
}).listen(0, '127.0.0.1');
await once(server, 'listening');
const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
afterAll(() => server.close().closeAllConnections());
afterEach(() => vi.unstubAllGlobals());

const file = (name: string) => new Uint8Array(Buffer.from(name));
const models = {
  beats: file('beats-v3.bin'),
  chords: file('chords-v2.bin'),
  tags: { msd: file('tags-msd-v1.bin'), jamendo: file('tags-jamendo-v1.bin') },
  voice: file('voice-v3.bin'),
};

describe('fetchModels', () => {
  it.each([`${origin}/models/`, `${origin}/models`, new URL(`${origin}/models`)])(
    'fetches every file of the folder %s',
    async (folder) => {
      expect(await fetchModels(folder)).toEqual(models);
    },
  );

  it.each(['/models', '/models/', '../models'])(
    'resolves %s against the address of the page',
    async (folder) => {
      vi.stubGlobal('location', { href: `${origin}/player/index.html` });
      expect(await fetchModels(folder)).toEqual(models);
    },
  );

  it('reports the address that returned no file', async () => {
    await expect(fetchModels(`${origin}/elsewhere`)).rejects.toThrow(
      /^http:\/\/127\.0\.0\.1:\d+\/elsewhere\/[a-z0-9-]+\.bin answered 404: /,
    );
  });
});
