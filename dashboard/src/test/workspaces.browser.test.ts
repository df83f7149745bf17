import { afterAll, expect, it } from 'vitest';
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
  await owner.page.getByRole('link', { name: 'Team' }).click();
  await owner.page.getByLabel('Invite by e-mail').fill('guest@example.com');
  await owner.page.getByRole('button', { name: 'Invite' }).click();
  await owner.page.getByText('pending').waitFor();

  // An invitation is accepted by signing in with its address.
  await signIn(guest, 'guest@example.com');
  const choice = guest.page.getByRole('combobox', { name: 'Workspace' });
  await choice.selectOption({ label: "host's workspace" });
  await guest.page.waitForFunction(
    () =>
      document.querySelector<HTMLSelectElement>('.nav-foot select')?.selectedOptions[0]?.text ===
      "host's workspace",
  );
  await guest.page.getByRole('link', { name: 'Profile' }).click();
  await guest.page.getByText('guest@example.com · member').waitFor();
  expect(await guest.page.title()).toBe('Profile · Earshot');

  await choice.selectOption({ label: "guest's workspace" });
  await guest.page.waitForFunction(
    () =>
      document.querySelector<HTMLSelectElement>('.nav-foot select')?.selectedOptions[0]?.text ===
      "guest's workspace",
  );
  expect([...owner.takeFaults(), ...guest.takeFaults()]).toEqual([]);
});
