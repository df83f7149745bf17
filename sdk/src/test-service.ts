import { Earshot, type EarshotOptions } from './client.ts';

export type ReceivedRequest = { method: string; path: string; json: unknown; headers: Headers };

/** A client whose service answers with `answer` and records the requests it gets. */
export function createTestService(
  answer: (request: ReceivedRequest, nth: number) => Response,
  options: Partial<EarshotOptions> = {},
): { earshot: Earshot; requests: ReceivedRequest[] } {
  const requests: ReceivedRequest[] = [];
  const earshot = new Earshot({
    apiKey: 'es_live_secret',
    baseUrl: 'https://service.test/',
    retriesMax: 0,
    fetch: async (input, init) => {
      const url = new URL(String(input));
      const json = typeof init?.body === 'string' ? JSON.parse(init.body) : null;
      const method = init?.method ?? 'GET';
      requests.push({ method, path: url.pathname + url.search, json, headers: new Headers(init?.headers) });
      return answer(requests.at(-1)!, requests.length);
    },
    ...options,
  });
  return { earshot, requests };
}
