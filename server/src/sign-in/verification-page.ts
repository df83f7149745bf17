import { escapeHtml, htmlPage } from '../http/html.ts';

/** Opening the link only shows a button, because mail scanners open links, too. */
export function askPage(token: string): string {
  return htmlPage({
    title: 'Confirm your address',
    body: `<p>An account was registered with your e-mail address, and whoever did it has an API key to it. Confirm it only if that was you.</p>
<form method="post" action="/verify-email"><input type="hidden" name="token" value="${escapeHtml(token)}">
<button class="main">It was me: confirm</button></form>`,
  });
}

export function donePage(email: string): string {
  return htmlPage({
    title: 'Confirmed',
    body: `<p>${escapeHtml(email)} is confirmed. You can close this page, or <a href="/">open your library</a>.</p>`,
  });
}

export function refusedPage(sentence: string): string {
  return htmlPage({ title: 'Not confirmed', body: `<p>${escapeHtml(sentence)}</p>` });
}
