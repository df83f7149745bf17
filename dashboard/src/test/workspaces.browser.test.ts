import { afterAll, expect, it, onTestFinished } from 'vitest';
import { goTo, openMenu } from './page-actions.ts';
import { signIn } from './sign-in.ts';
import { makeSong } from './test-songs.ts';
import { expectAccessible, type Look, openVisit } from './visit.ts';

/** Workspaces from the user's side: inviting, joining, switching, leaving, and what each role may do. */

const LOOK: Look = { width: 1280, height: 900, colorScheme: 'light' };
const owner = await openVisit(LOOK);
const guest = await openVisit(LOOK);
afterAll(async () => {
  await owner.context.close();
  await guest.context.close();
});

it('a guest switches to the workspace that invited them, and back', async () => {
  await signIn(owner, 'host@example.com');
  await goTo(owner, 'Team');
  await owner.page.getByLabel('Invite by e-mail').fill('guest@example.com');
  await owner.page.getByRole('button', { name: 'Invite' }).click();
  await owner.page.getByText('pending').waitFor();

  // An invitation is accepted by signing in with its address.
  await signIn(guest, 'guest@example.com');
  await openMenu(guest, /^Account/);
  await guest.page.getByRole('menuitem', { name: "Switch to host's workspace" }).click();
  await guest.page
    .getByRole('button', { name: /^Account/ })
    .getByText("host's workspace")
    .waitFor();
  await goTo(guest, 'Profile and data');
  await guest.page.getByText('guest@example.com · member').waitFor();
  expect(await guest.page.title()).toBe('Profile and data · Earshot');

  await openMenu(guest, /^Account/);
  await guest.page.getByRole('menuitem', { name: "Switch to guest's workspace" }).click();
  await guest.page
    .getByRole('button', { name: /^Account/ })
    .getByText("guest's workspace")
    .waitFor();
  expect([...owner.takeFaults(), ...guest.takeFaults()]).toEqual([]);
});

it('entering another workspace loads a new page, with nothing of the old one', async () => {
  const { page } = guest;
  await goTo(guest, 'Profile and data');
  await page.evaluate(() => Object.assign(window, { isOldPage: true }));
  await page.getByRole('button', { name: "Enter host's workspace" }).click();
  await page
    .getByRole('button', { name: /^Account/ })
    .getByText("host's workspace")
    .waitFor();
  expect(new URL(page.url()).pathname).toBe('/');
  expect(await page.evaluate(() => 'isOldPage' in window)).toBe(false);
  await goTo(guest, 'Profile and data');
  await page.getByRole('button', { name: "Enter guest's workspace" }).click();
  await page
    .getByRole('button', { name: /^Account/ })
    .getByText("guest's workspace")
    .waitFor();
  expect(guest.takeFaults()).toEqual([]);
});

it('saving a profile does not rename a workspace that was entered in a second tab', async () => {
  const { page } = guest;
  await goTo(guest, 'Profile and data');
  const second = await guest.context.newPage();
  await second.goto('/profile');
  await second.getByRole('button', { name: "Enter host's workspace" }).click();
  await second
    .getByRole('button', { name: /^Account/ })
    .getByText("host's workspace")
    .waitFor();
  const answered = page.waitForResponse((response) => response.request().method() === 'PATCH');
  await page.getByLabel('What is new in Earshot').click();
  await page.getByRole('button', { name: 'Save' }).click();
  expect((await answered).status()).toBe(200);
  expect((await answered).request().postDataJSON()).not.toHaveProperty('workspace_name');
  await second.goto('/profile');
  await second.getByRole('button', { name: "Enter guest's workspace" }).click();
  await second
    .getByRole('button', { name: /^Account/ })
    .getByText("guest's workspace")
    .waitFor();
  await second.close();
  expect(guest.takeFaults()).toEqual([]);
});

it('the menu ticks the chosen theme, which survives a reload', async () => {
  const { page } = owner;
  const ticked = () => page.getByRole('menuitemradio', { checked: true }).allTextContents();
  await openMenu(owner, /^Account/);
  expect(await ticked()).toEqual(['Theme: system✓']);
  await page.getByRole('menuitemradio', { name: 'Theme: dark' }).click();
  await openMenu(owner, /^Account/);
  expect(await ticked()).toEqual(['Theme: dark✓']);
  await expectAccessible(page);
  await page.reload();
  expect(await page.evaluate(() => document.documentElement.dataset.theme)).toBe('dark');
  await openMenu(owner, /^Account/);
  expect(await ticked()).toEqual(['Theme: dark✓']);
  await page.getByRole('menuitemradio', { name: 'Theme: system' }).click();
  expect(owner.takeFaults()).toEqual([]);
});

it('the account menu requests the workspaces once, and says why signing out failed', async () => {
  const { page } = owner;
  const requestedPaths: string[] = [];
  page.on('request', (request) => requestedPaths.push(new URL(request.url()).pathname));
  await page.reload();
  await openMenu(owner, /^Account/);
  expect(requestedPaths.filter((path) => path === '/v1/account/workspaces')).toHaveLength(1);
  await page.route('**/v1/auth/logout', (route) =>
    route.fulfill({ status: 403, json: { detail: 'Not now.', code: 'forbidden' } }),
  );
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByText('Not now.').waitFor();
  await page.unroute('**/v1/auth/logout');
  expect(owner.takeFaults()).toEqual([expect.stringContaining('403')]);
});

it('a signed-in user can join or decline a workspace that invited them', async () => {
  const invite = async (visit: typeof owner) => {
    await goTo(visit, 'Team');
    await visit.page.getByLabel('Invite by e-mail').fill('asked@example.com');
    await visit.page.getByRole('button', { name: 'Invite' }).click();
    await visit.page.getByText('pending').waitFor();
  };
  const invited = await openVisit(LOOK);
  const second = await openVisit(LOOK);
  try {
    await signIn(invited, 'asked@example.com');
    await signIn(second, 'second-host@example.com');
    await invite(owner);
    await invite(second);

    await goTo(invited, 'Profile and data');
    await invited.page.getByRole('button', { name: "Decline second-host's workspace" }).click();
    await invited.page
      .getByRole('button', { name: "Decline second-host's workspace" })
      .waitFor({ state: 'detached' });
    await invited.page.getByRole('button', { name: "Join host's workspace" }).click();
    await invited.page.getByRole('heading', { name: 'You are invited' }).waitFor({ state: 'detached' });
    await openMenu(invited, /^Account/);
    await invited.page.getByRole('menuitem', { name: "Switch to host's workspace" }).waitFor();
    expect(await invited.page.getByRole('menuitem', { name: /second-host/ }).count()).toBe(0);
    expect([...invited.takeFaults(), ...second.takeFaults(), ...owner.takeFaults()]).toEqual([]);
  } finally {
    await invited.context.close();
    await second.context.close();
  }
});

it('joining by an invitation that was revoked meanwhile says why it failed', async () => {
  await goTo(owner, 'Team');
  const late = await openVisit(LOOK);
  try {
    await signIn(late, 'late@example.com');
    await owner.page.getByLabel('Invite by e-mail').fill('late@example.com');
    await owner.page.getByRole('button', { name: 'Invite' }).click();
    const row = owner.page.getByRole('row').filter({ hasText: 'late@example.com' });
    await row.getByText('pending').waitFor();
    await goTo(late, 'Profile and data');
    const join = late.page.getByRole('button', { name: "Join host's workspace" });
    await join.waitFor();
    await row.getByRole('button', { name: 'Revoke' }).click();
    await row.getByText('pending').waitFor({ state: 'detached' });
    await join.click();
    const reason = late.page.getByRole('alert').getByText('This invitation is no longer pending.');
    await reason.waitFor();
    await join.waitFor({ state: 'detached' });
    await reason.waitFor();
    expect(late.takeFaults()).toEqual([expect.stringContaining('409')]);
  } finally {
    await late.context.close();
  }
});

it('without mail, an invitation’s link leads into the workspace', async () => {
  await goTo(owner, 'Team');
  await owner.page.getByLabel('Invite by e-mail').fill('linked@example.com');
  await owner.page.getByRole('button', { name: 'Invite' }).click();
  const row = owner.page.getByRole('row').filter({ hasText: 'linked@example.com' });
  await row.getByRole('button', { name: 'Copy link' }).waitFor();
  const { invitations } = await owner.page.evaluate(async () => {
    const response = await fetch('/v1/account/team');
    return (await response.json()) as { invitations: { id: string; email: string }[] };
  });
  const { id } = invitations.find(({ email }) => email === 'linked@example.com')!;

  const linked = await openVisit(LOOK);
  try {
    await signIn(linked, 'linked@example.com', `/invitations/${id}`);
    await linked.page.getByRole('heading', { name: 'Welcome' }).waitFor();
    await linked.page.getByRole('button', { name: "Enter host's workspace" }).click();
    await linked.page
      .getByRole('button', { name: /^Account/ })
      .getByText("host's workspace")
      .waitFor();
    expect(linked.takeFaults()).toEqual([]);
  } finally {
    await linked.context.close();
  }
});

it('the link of an unknown invitation names the likely reason, also to a member of other workspaces', async () => {
  const { page } = guest;
  await page.goto('/invitations/inv_00000000000000000000000000');
  await page.getByRole('button', { name: "Enter host's workspace" }).waitFor();
  await page
    .getByText('If you followed an invitation to another workspace, it was answered or revoked')
    .waitFor();
  await page.getByText('is for another address than guest@example.com').waitFor();
  expect(guest.takeFaults()).toEqual([]);
});

it('a workspace that was joined but could not be entered can be entered later', async () => {
  const joining = await openVisit(LOOK);
  try {
    await signIn(joining, 'joining@example.com');
    await goTo(owner, 'Team');
    await owner.page.getByLabel('Invite by e-mail').fill('joining@example.com');
    await owner.page.getByRole('button', { name: 'Invite' }).click();
    await owner.page
      .getByRole('row')
      .filter({ hasText: 'joining@example.com' })
      .getByText('pending')
      .waitFor();
    const id = await joining.page.evaluate(async () => {
      const response = await fetch('/v1/account/invitations');
      return ((await response.json()) as { invitations: { id: string }[] }).invitations[0]!.id;
    });
    const { page } = joining;
    await page.goto(`/invitations/${id}`);
    await page.route('**/session', (route) =>
      route.fulfill({ status: 403, json: { detail: 'Not now.', code: 'forbidden' } }),
    );
    await page.getByRole('button', { name: 'Join', exact: true }).click();
    await page.getByText('Not now.').waitFor();
    await page.unroute('**/session');
    await page.getByRole('button', { name: "Enter host's workspace" }).click();
    await page
      .getByRole('button', { name: /^Account/ })
      .getByText("host's workspace")
      .waitFor();
    expect(joining.takeFaults()).toEqual([expect.stringContaining('403')]);
  } finally {
    await joining.context.close();
  }
});

it('shows how long audio is kept, and asks before shortening it', async () => {
  const { page } = owner;
  await goTo(owner, 'Profile and data');
  const audio = page.getByLabel('Keep audio');
  await audio.selectOption('forever');
  await page.getByText('Retention changed.').first().waitFor();
  await audio.selectOption('30');
  await page.getByRole('button', { name: 'Cancel' }).click();
  expect(await audio.inputValue()).toBe('forever');
  await audio.selectOption('30');
  await page.getByRole('button', { name: 'Change' }).click();
  await page.waitForFunction(async () => {
    const body = (await (await fetch('/v1/account/workspaces')).json()) as {
      workspaces: { current: boolean; retain_source: unknown }[];
    };
    return body.workspaces.find(({ current }) => current)?.retain_source === 30;
  });
  await page.reload();
  expect(await page.getByLabel('Keep audio').inputValue()).toBe('30');
  const results = page.getByLabel('Keep songs and results');
  await results.selectOption('365');
  await page.getByText('This cannot be undone.').waitFor();
  await page.getByRole('button', { name: 'Cancel' }).click();
  expect(await results.inputValue()).toBe('');
  expect(owner.takeFaults()).toEqual([]);
});

it('asks before shortening the current retention, not the one that an old page shows', async () => {
  const { page } = owner;
  const old = await owner.context.newPage();
  await old.goto(page.url());
  expect(await old.getByLabel('Keep audio').inputValue()).toBe('30');
  await page.getByLabel('Keep audio').selectOption('forever');
  await page.getByText('Retention changed.').first().waitFor();
  await old.getByLabel('Keep audio').selectOption('90');
  await old.getByRole('button', { name: 'Cancel' }).click();
  await expect.poll(() => old.getByLabel('Keep audio').inputValue()).toBe('forever');
  await old.close();
  expect(owner.takeFaults()).toEqual([]);
});

it('an owner transfers the workspace and cannot do so again; a member who leaves is in their own', async () => {
  await goTo(owner, 'Team');
  // Shows the members who have joined since.
  await owner.page.reload();
  const heir = owner.page.getByRole('row').filter({ hasText: 'linked@example.com' }).first();
  await heir.getByRole('button', { name: 'Make owner' }).click();
  await owner.page.getByRole('dialog').getByRole('button', { name: 'Make owner' }).click();
  await heir.getByRole('button', { name: 'Remove' }).waitFor({ state: 'detached' });
  await owner.page.getByRole('button', { name: 'Make owner' }).first().waitFor({ state: 'detached' });

  const { page } = guest;
  const account = page.getByRole('button', { name: /^Account/ });
  await goTo(guest, 'Profile and data');
  await page.getByRole('button', { name: "Enter host's workspace" }).click();
  await account.getByText("host's workspace").waitFor();
  await goTo(guest, 'Team');
  await page.getByRole('button', { name: 'Leave' }).click();
  await page.getByText('Your keys stop working at once').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Leave' }).click();
  await account.getByText("guest's workspace").waitFor();
  expect(new URL(page.url()).pathname).toBe('/');
  expect([...owner.takeFaults(), ...guest.takeFaults()]).toEqual([]);
});

it('a viewer is offered only what a viewer may do', async () => {
  const host = await openVisit(LOOK);
  onTestFinished(() => host.context.close());
  await signIn(host, 'curator@example.com');
  await host.page
    .getByLabel('Audio files')
    .first()
    .setInputFiles([makeSong({ name: 'seen.wav', bpm: 120, keynoteMidi: 60 })]);
  await host.page.getByText('1 done').waitFor();
  await goTo(host, 'Team');
  await host.page.getByLabel('Invite by e-mail').fill('viewer@example.com');
  await host.page.locator('select[name=role]').selectOption('viewer');
  await host.page.getByRole('button', { name: 'Invite' }).click();
  await host.page.getByText('pending').waitFor();

  const viewer = await openVisit(LOOK);
  onTestFinished(() => viewer.context.close());
  const { page } = viewer;
  await signIn(viewer, 'viewer@example.com');
  await openMenu(viewer, /^Account/);
  await page.getByRole('menuitem', { name: "Switch to curator's workspace" }).click();
  await page.getByRole('link', { name: 'seen' }).first().waitFor();
  const isOffered = (role: 'button' | 'link' | 'menuitem', name: string) =>
    page.getByRole(role, { name, exact: true }).count();
  expect(await page.getByLabel('Audio files').count()).toBe(0);
  for (const name of ['API keys', 'Audit log']) expect(await isOffered('link', name), name).toBe(0);
  await page.getByLabel('Select all songs that are loaded').check();
  const bar = page.getByRole('region', { name: 'Selected songs' });
  expect(await bar.getByRole('button').allTextContents()).toEqual(['Export', 'Clear']);

  await page.getByRole('link', { name: 'seen' }).first().click();
  await page.getByTestId('timeline').waitFor();
  for (const name of ['This is the one', 'Correct the key', 'Add to a crate'])
    expect(await isOffered('button', name), name).toBe(0);
  expect(await page.getByText('halve the tempo').count()).toBe(0);
  await openMenu(viewer, 'More actions');
  expect(await page.getByRole('menuitem').allTextContents()).toEqual(['Download the audio']);
  await page.keyboard.press('Escape');

  await goTo(viewer, 'Team');
  await page.getByRole('button', { name: 'Leave' }).waitFor();
  expect(await isOffered('button', 'Invite')).toBe(0);
  expect(await page.getByRole('combobox').count()).toBe(0);
  await goTo(viewer, 'Usage and billing');
  await page.getByText('Your plan').waitFor();
  expect(await isOffered('button', 'Move to Pro')).toBe(0);
  await goTo(viewer, 'Webhooks');
  await page.getByText('Nothing has been sent yet.').waitFor();
  for (const name of ['Add endpoint', 'Retry failed']) expect(await isOffered('button', name), name).toBe(0);
  expect(viewer.takeFaults()).toEqual([]);

  // A viewer who types the address sees the reason, without a retry.
  await page.goto('/keys');
  await page.getByText('This needs the role admin; you are viewer here.').waitFor();
  for (const name of ['Create', 'Try again']) expect(await isOffered('button', name), name).toBe(0);
  await expectAccessible(page);
});
