import { expect, it } from 'vitest';
import { readJson } from './requests.mjs';

it('reads a response that has the expected status, or any successful one', async () => {
  expect(await readJson(Response.json({ id: 1 }, { status: 202 }), 202)).toEqual({ id: 1 });
  expect(await readJson(Response.json({ id: 1 }, { status: 202 }))).toEqual({ id: 1 });
});

it('rejects any other status, with the body', async () => {
  await expect(readJson(new Response('full', { status: 503 }))).rejects.toThrow('answered 503: full');
  await expect(readJson(new Response('late', { status: 200 }), 202)).rejects.toThrow('answered 200: late');
});
