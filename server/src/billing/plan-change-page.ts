import { escapeHtml, htmlPage } from '../http/html.ts';
import { PLANS } from '../usage/plans.ts';
import type { OpenPlanChange } from './plan-change.ts';

const STYLE = `:root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;max-width:26rem;margin:12vh auto;padding:0 1rem}
h1{font-size:1.3rem}button{font:inherit;padding:.6rem 1rem;border-radius:.5rem;border:1px solid #8888;cursor:pointer;margin:.25rem .25rem .25rem 0}
button.main{background:#2563eb;color:#fff;border-color:#2563eb}`;

export function planChangePage({ change, from }: OpenPlanChange): string {
  const { plan, amountDue, currency } = change;
  const money = sayMoney(Math.abs(amountDue), currency);
  const proration =
    amountDue >= 0
      ? `<strong>${money}</strong> for the rest of this month is billed now.`
      : `<strong>${money}</strong> of this month is credited to your next invoice.`;
  return htmlPage({
    title: 'Change of plan · Earshot',
    style: STYLE,
    body: `<h1>Change of plan</h1>
<p>From <strong>${from}</strong> to <strong>${plan}</strong>: ${PLANS[plan].analysesPerMonth.toLocaleString('en')} analyses a month.</p>
<p>${proration}</p>
<form method="post"><button class="main" name="action" value="confirm">Confirm</button>
<button name="action" value="cancel">Turn back</button></form>`,
  });
}

function sayMoney(amount: number, currency: string): string {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency });
  const digits = format.resolvedOptions().maximumFractionDigits ?? 2;
  return escapeHtml(format.format(amount / 10 ** digits));
}
