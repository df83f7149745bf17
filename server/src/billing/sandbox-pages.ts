import { escapeHtml, htmlPage } from '../http/html.ts';
import { PLANS, type PlanName } from '../usage/plans.ts';
import type { BillingOverview } from './billing.ts';
import type { Invoice } from './invoices.ts';
import { formatMoney } from './money.ts';
import { sandboxPrice } from './sandbox-provider.ts';
import type { SandboxSession } from './sandbox-store.ts';

const NO_MONEY =
  '<p class="no-print"><small>This is the built-in payment sandbox: no money moves. Set STRIPE_SECRET_KEY to use Stripe.</small></p>';

export function checkoutPage(session: SandboxSession): string {
  const plan = session.plan as PlanName;
  const { amount, currency } = sandboxPrice(plan);
  return htmlPage({
    title: `Earshot ${plan}`,
    body: `<p class="price">${formatMoney(amount, currency)} <small>a month</small></p>
<p>${PLANS[plan].analysesPerMonth.toLocaleString('en')} analyses a month. Ends when you cancel.</p>
<form method="post"><button class="main" name="action" value="pay">Pay with play money</button>
<button name="action" value="cancel">Go back</button></form>
${NO_MONEY}`,
  });
}

export function portalPage(
  session: SandboxSession,
  billing: BillingOverview,
  invoices: readonly Invoice[],
): string {
  const unpaid = billing.status === 'past_due';
  const buttons = [
    unpaid ? '<button class="main" name="action" value="pay">Pay the open invoice</button>' : '',
    billing.plan === 'free'
      ? ''
      : '<button name="action" value="fail">Let a payment fail</button><button class="danger" name="action" value="cancel">Cancel the subscription</button>',
    '<button name="action" value="back">Back</button>',
  ];
  return htmlPage({
    title: 'Your subscription',
    body: `<p>Plan <strong>${billing.plan}</strong>, ${unpaid ? 'payment failed' : billing.status}.</p>
<form method="post">${buttons.join('')}</form>
<h2>Invoices</h2>
${invoices.length === 0 ? '<p class="soft">None yet.</p>' : invoiceTable(session, invoices)}
${NO_MONEY}`,
  });
}

function invoiceTable(session: SandboxSession, invoices: readonly Invoice[]): string {
  const rows = invoices.map(({ id, at, total, currency, isPaid }) => {
    const address = `/sandbox/portal/${session.id}/invoices/${encodeURIComponent(id)}`;
    return `<tr><td><a href="${address}">${formatDay(at)}</a></td><td>${isPaid ? 'paid' : 'failed'}</td><td>${formatMoney(total, currency)}</td></tr>`;
  });
  return `<table><thead><tr><th>Date</th><th>State</th><th>Amount</th></tr></thead><tbody>${rows.join('')}</tbody></table>`;
}

export function invoicePage(session: SandboxSession, invoice: Invoice): string {
  const { currency } = invoice;
  const rows = invoice.lines.map(
    ({ description, amount }) =>
      `<tr><td>${escapeHtml(description)}</td><td>${formatMoney(amount, currency)}</td></tr>`,
  );
  return htmlPage({
    title: `Invoice of ${formatDay(invoice.at)}`,
    body: `<p class="soft">${escapeHtml(invoice.id)} · ${invoice.isPaid ? 'paid' : 'payment failed'}</p>
<table><thead><tr><th>What</th><th>Amount</th></tr></thead><tbody>${rows.join('')}
<tr><td><strong>Total</strong></td><td><strong>${formatMoney(invoice.total, currency)}</strong></td></tr></tbody></table>
<p class="no-print"><a href="/sandbox/portal/${session.id}">All invoices</a></p>
${NO_MONEY}`,
  });
}

function formatDay(at: Date): string {
  return at.toLocaleDateString('en', { dateStyle: 'long', timeZone: 'UTC' });
}
