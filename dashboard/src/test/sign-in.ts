import type { Visit } from './visit.ts';

/** From the page of sign-in to the library, by the code that a service without mail shows. */
export async function signIn({ page }: Visit, email: string): Promise<void> {
  await page.goto('/sign-in');
  await page.getByLabel('E-mail address').fill(email);
  await page.getByRole('button', { name: 'Send me a code' }).click();
  const words = await page.getByText('Your code is').textContent();
  await page.getByLabel('Code').fill(/\d{6}/.exec(words ?? '')?.[0] ?? '');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Library', exact: true }).waitFor();
}
