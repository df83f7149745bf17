import type { Visit } from './visit.ts';

/** Signs in at `path`; from /sign-in it waits for the library. */
export async function signIn(visit: Visit, email: string, path = '/sign-in'): Promise<void> {
  await visit.page.goto(path);
  await signInHere(visit, email);
  if (path === '/sign-in') await visit.page.getByRole('heading', { name: 'Library', exact: true }).waitFor();
}

/** Signs in on the current page, with the code that a service without mail shows there. */
export async function signInHere({ page }: Visit, email: string): Promise<void> {
  await page.getByLabel('E-mail address').fill(email);
  await page.getByRole('button', { name: 'Send me a code' }).click();
  const text = await page.getByText('Your code is').textContent();
  await page.getByLabel('Code').fill(/\d{6}/.exec(text ?? '')?.[0] ?? '');
  await page.getByRole('button', { name: 'Sign in' }).click();
}
