import type { Visit } from './visit.ts';

/** Signs in at `path` with the code that a service without mail shows on the page; from /sign-in it waits for the library. */
export async function signIn({ page }: Visit, email: string, path = '/sign-in'): Promise<void> {
  await page.goto(path);
  await page.getByLabel('E-mail address').fill(email);
  await page.getByRole('button', { name: 'Send me a code' }).click();
  const text = await page.getByText('Your code is').textContent();
  await page.getByLabel('Code').fill(/\d{6}/.exec(text ?? '')?.[0] ?? '');
  await page.getByRole('button', { name: 'Sign in' }).click();
  if (path === '/sign-in') await page.getByRole('heading', { name: 'Library', exact: true }).waitFor();
}
