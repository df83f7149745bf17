import { escapeHtml, htmlPage } from '../http/html.ts';

/** Has a button, and opening it confirms nothing, because mail scanners open links, too. */
export function confirmationPage(token: string): string {
  return htmlPage({
    title: 'Confirm your address',
    body: `<p>An account was registered with your e-mail address, and whoever registered it has an API key. Confirm only if that was you.</p>
<form method="post" action="/verify-email"><input type="hidden" name="token" value="${escapeHtml(token)}">
<button class="main">It was me, confirm</button></form>`,
  });
}

export function confirmedPage(email: string): string {
  return htmlPage({
    title: 'Confirmed',
    body: `<p>${escapeHtml(email)} is confirmed. You can close this page, or <a href="/">open your library</a>.</p>`,
  });
}

export function notConfirmedPage(reason: string): string {
  return htmlPage({ title: 'Not confirmed', body: `<p>${escapeHtml(reason)}</p>` });
}
