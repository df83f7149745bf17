import { escapeHtml, htmlPage } from '../http/html.ts';

const STYLE = `:root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;max-width:26rem;margin:12vh auto;padding:0 1rem}
h1{font-size:1.3rem}button{font:inherit;padding:.6rem 1rem;border-radius:.5rem;border:0;background:#2563eb;color:#fff;cursor:pointer}`;

/** A button rather than a deed: mail scanners open links too. */
export function askPage(token: string): string {
  return page(
    'Confirm your address',
    `<p>An account was registered with your e-mail address, and whoever did it has an API key to it. Confirm it only if that was you.</p>
<form method="post" action="/verify-email"><input type="hidden" name="token" value="${escapeHtml(token)}">
<button>It was me: confirm</button></form>`,
  );
}

export function donePage(email: string): string {
  return page('Confirmed', `<p>${escapeHtml(email)} is confirmed. You can close this page.</p>`);
}

export function refusedPage(sentence: string): string {
  return page('Not confirmed', `<p>${escapeHtml(sentence)}</p>`);
}

function page(title: string, body: string): string {
  return htmlPage({ title: `${title} · Earshot`, style: STYLE, body: `<h1>${title}</h1>${body}` });
}
