import { afterAll, expect, it } from 'vitest';
import { goTo, openMenu } from './rooms.ts';
import { signIn } from './sign-in.ts';
import { type Look, openVisit } from './visit.ts';

const LOOK: Look = { width: 1280, height: 900, colorScheme: 'light' };
const owner = await openVisit(LOOK);
const guest = await openVisit(LOOK);
afterAll(async () => {
  await owner.context.close();
  await guest.context.close();
});

it('lets a guest into the workspace that invited them, and back into their own', async () => {
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
