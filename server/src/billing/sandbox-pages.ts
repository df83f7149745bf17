import { PLANS, type PlanName } from '../usage/plans.ts';
import type { BillingOverview } from './billing.ts';
import type { SandboxSession } from './sandbox-store.ts';

const STYLE = `:root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;max-width:26rem;margin:12vh auto;padding:0 1rem}
h1{font-size:1.3rem}button{font:inherit;padding:.6rem 1rem;border-radius:.5rem;border:1px solid #8888;cursor:pointer;margin:.25rem .25rem .25rem 0}
button.main{background:#2563eb;color:#fff;border-color:#2563eb}small{opacity:.7}`;

export function checkoutPage(session: SandboxSession): string {
  const plan = session.plan as PlanName;
  return page(
    'Checkout',
    `<p>You are about to move this workspace to the <strong>${plan}</strong> plan:
     ${PLANS[plan].analysesPerMonth.toLocaleString('en')} analyses a month.</p>
     <form method="post"><button class="main" name="action" value="pay">Pay with play money</button>
     <button name="action" value="cancel">Turn back</button></form>`,
  );
}

export function portalPage(_session: SandboxSession, billing: BillingOverview): string {
  const unpaid = billing.status === 'past_due';
  return page(
    'Your subscription',
    `<p>Plan <strong>${billing.plan}</strong>, ${unpaid ? 'payment failed' : billing.status}.</p>
     <form method="post">
     ${unpaid ? '<button class="main" name="action" value="pay">Pay the open invoice</button>' : ''}
     ${billing.plan === 'free' ? '' : '<button name="action" value="cancel">Cancel the subscription</button><button name="action" value="fail">Let a payment fail</button>'}
     <button name="action" value="back">Back</button></form>`,
  );
}

function page(title: string, body: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>${title} · Earshot sandbox</title><style>${STYLE}</style></head><body><h1>${title}</h1>${body}
<p><small>This is the built-in payment sandbox: no money moves. Set STRIPE_SECRET_KEY to use Stripe.</small></p></body></html>`;
}
