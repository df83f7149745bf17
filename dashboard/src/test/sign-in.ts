import type { Visit } from './visit.ts';

/** From the page of sign-in to the library, or from another page back to it, by the code that a service without mail shows. */
export async function signIn({ page }: Visit, email: string, path = '/sign-in'): Promise<void> {
  await page.goto(path);
  await page.getByLabel('E-mail address').fill(email);
  await page.getByRole('button', { name: 'Send me a code' }).click();
  const words = await page.getByText('Your code is').textContent();
  await page.getByLabel('Code').fill(/\d{6}/.exec(words ?? '')?.[0] ?? '');
  await page.getByRole('button', { name: 'Sign in' }).click();
  if (path === '/sign-in') await page.getByRole('heading', { name: 'Library', exact: true }).waitFor();
}
