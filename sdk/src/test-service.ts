import { Earshot, type EarshotOptions } from './client.ts';

export type Asked = { method: string; path: string; json: unknown; headers: Headers };

/** A client whose service answers with `answer`, and remembers what it was asked. */
export function createTestService(
  answer: (asked: Asked, nth: number) => Response,
  options: Partial<EarshotOptions> = {},
): { earshot: Earshot; asked: Asked[] } {
  const asked: Asked[] = [];
  const earshot = new Earshot({
    apiKey: 'es_live_secret',
    baseUrl: 'https://service.test/',
    retriesMax: 0,
    fetch: async (input, init) => {
      const url = new URL(String(input));
      const json = typeof init?.body === 'string' ? JSON.parse(init.body) : null;
      const method = init?.method ?? 'GET';
      asked.push({ method, path: url.pathname + url.search, json, headers: new Headers(init?.headers) });
      return answer(asked.at(-1)!, asked.length);
    },
    ...options,
  });
  return { earshot, asked };
}
