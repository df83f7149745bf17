import { afterEach, beforeEach, expect, it, vi } from 'vitest';

beforeEach(() => {
  // A page's address, and nothing else of a browser.
  vi.stubGlobal('window', { location: { origin: 'http://service.test' } });
});
afterEach(() => vi.unstubAllGlobals());

it.each([0, 1, 99, 100, 101, 200, 250])('finds all of %i workspaces', async (count) => {
  const all = Array.from({ length: count }, (_, index) => ({ workspace_id: `ws_${index}` }));
  const set_aside = [{ workspace_id: 'ws_before' }];
  vi.stubGlobal('fetch', async (url: URL) => {
    const after = url.searchParams.get('after');
    const first = after === null ? 0 : all.findIndex(({ workspace_id }) => workspace_id === after) + 1;
    const workspaces = all.slice(first, first + Number(url.searchParams.get('limit')));
    return Response.json({ workspaces, set_aside });
  });
  const { loadWorkspaces } = await import('./workspaces.ts');
  expect(await loadWorkspaces()).toEqual({ workspaces: all, set_aside });
});
