/** Escapes text for use between tags and in quoted attributes. Not safe in scripts, styles, or for `javascript:` URLs. */
export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

/** The colours are the dashboard's (dashboard/src/design/tokens.css). */
const STYLE = `:root{color-scheme:light dark;--paper:#fff;--ground:#f7f7f9;--ink:#17171c;--soft:#5d5d6b;--line:#e4e4ea;--accent:#4f46e5;--accent-ink:#fff;--bad:#c2253c}
@media(prefers-color-scheme:dark){:root{--paper:#1a1a21;--ground:#121217;--ink:#f0f0f4;--soft:#a9a9b8;--line:#2a2a34;--accent:#8f8aff;--accent-ink:#14121f;--bad:#ff8095}}
*{box-sizing:border-box}body{margin:0;min-height:100vh;background:var(--ground);color:var(--ink);font:15px/1.5 system-ui,sans-serif}
header{display:flex;align-items:center;gap:9px;padding:14px 24px;font-weight:680;font-size:16px}header img{width:22px;height:22px}header a{color:inherit;text-decoration:none}
main{width:min(460px,calc(100vw - 32px));margin:8vh auto 0;padding:24px;border:1px solid var(--line);border-radius:14px;background:var(--paper)}
h1{margin:0 0 12px;font-size:21px;letter-spacing:-.01em}h2{margin:24px 0 8px;font-size:15px}p{margin:0 0 12px}a{color:var(--accent)}small,.soft{color:var(--soft)}
.price{font-size:32px;font-weight:680;letter-spacing:-.02em}.price small{font-size:15px;font-weight:400}
form{display:flex;flex-wrap:wrap;gap:8px;margin:16px 0}button{font:inherit;padding:7px 14px;border-radius:8px;border:1px solid var(--line);background:var(--paper);color:var(--ink);cursor:pointer}
button.main{background:var(--accent);border-color:var(--accent);color:var(--accent-ink)}button.danger{color:var(--bad)}:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
table{width:100%;border-collapse:collapse;font-variant-numeric:tabular-nums}td,th{padding:7px 0;border-bottom:1px solid var(--line);text-align:left;font-weight:400}th{color:var(--soft);font-size:13px}td:last-child,th:last-child{text-align:right}
@media print{header,form,.no-print{display:none}main{border:0;margin:0}}`;

/** A page outside the dashboard: one card under the brand. `body` is HTML, `title` is plain text. */
export function htmlPage(options: { title: string; body: string }): string {
  const title = escapeHtml(options.title);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Earshot</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<style>${STYLE}</style>
</head>
<body>
<header><img src="/favicon.svg" alt=""><a href="/">Earshot</a></header>
<main>
<h1>${title}</h1>
${options.body}
</main>
</body>
</html>
`;
}
