import { afterEach, beforeEach, expect, it, vi } from 'vitest';

beforeEach(() => {
  // api.ts reads the origin; nothing else of a browser is needed.
  vi.stubGlobal('window', { location: { origin: 'http://service.test' } });
});
afterEach(() => vi.unstubAllGlobals());

it.each([0, 1, 99, 100, 101, 200, 250])('loads all of %i workspaces', async (count) => {
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

it.each([0, 1, 100, 101, 250])('loads all of %i invitations', async (count) => {
  const all = Array.from({ length: count }, (_, index) => ({ id: `inv_${index}` }));
  vi.stubGlobal('fetch', async (url: URL) => {
    const first = all.findIndex(({ id }) => id === url.searchParams.get('after')) + 1;
    return Response.json({ invitations: all.slice(first, first + Number(url.searchParams.get('limit'))) });
  });
  const { loadReceivedInvitations } = await import('./workspaces.ts');
  expect(await loadReceivedInvitations()).toEqual(all);
});

it('reloads the page only after the service has switched the workspace', async () => {
  const steps: string[] = [];
  const assign = (path: string) => steps.push(path);
  vi.stubGlobal('window', { location: { origin: 'http://service.test', assign } });
  vi.stubGlobal('fetch', async (url: URL, { method }: RequestInit) => {
    steps.push(`${method} ${url.pathname}`);
    return new Response(null, { status: 204 });
  });
  const { enterWorkspace } = await import('./workspaces.ts');
  await enterWorkspace('ws_2');
  expect(steps).toEqual(['POST /v1/account/workspaces/ws_2/session', '/']);
});
