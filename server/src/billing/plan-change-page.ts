import { htmlPage } from '../http/html.ts';
import { PLANS } from '../usage/plans.ts';
import { formatMoney } from './money.ts';
import type { OpenPlanChange } from './plan-change.ts';

export function planChangePage({ change, from }: OpenPlanChange): string {
  const { plan, amountDue, currency } = change;
  const money = formatMoney(Math.abs(amountDue), currency);
  const proration =
    amountDue >= 0
      ? `<strong>${money}</strong> for the rest of this month is billed now.`
      : `<strong>${money}</strong> of this month is credited to your next invoice.`;
  return htmlPage({
    title: 'Change of plan',
    body: `<p>From <strong>${from}</strong> to <strong>${plan}</strong>: ${PLANS[plan].analysesPerMonth.toLocaleString('en')} analyses a month.</p>
<p>${proration}</p>
<form method="post"><button class="main" name="action" value="confirm">Confirm</button>
<button name="action" value="cancel">Go back</button></form>`,
  });
}
