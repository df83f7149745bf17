import { operations } from '@earshot/contract';
import { notFound } from '../errors.ts';
import { implement } from '../http/implement.ts';
import { readBilling } from './billing.ts';
import { listSandboxInvoices } from './invoices.ts';
import { readButton, seeOther, unknownButton } from './page-buttons.ts';
import { postEvents } from './post-events.ts';
import type { SandboxAction } from './sandbox-events.ts';
import { checkoutPage, invoicePage, portalPage } from './sandbox-pages.ts';
import { claimPayment, getOpenSession, signedEventsOf } from './sandbox-sessions.ts';

const { billing } = operations;

/** The sandbox's pages. A session's unguessable id is the only credential, as on Stripe's own pages. */
export const sandboxRoutes = [
  implement(billing.getSandboxCheckout, async (ctx, { params }) => {
    const session = await getOpenSession(ctx, 'checkout', params.session_id);
    return { status: 200, body: checkoutPage(session) };
  }),

  implement(billing.submitSandboxCheckout, async (ctx, { params, body }, { request }) => {
    const session = await getOpenSession(ctx, 'checkout', params.session_id);
    const pressed = readButton(body);
    if (pressed === 'cancel') return seeOther(session.cancelUrl);
    if (pressed !== 'pay') throw unknownButton();
    await claimPayment(ctx, session);
    await postEvents(request.server, await signedEventsOf(ctx, session, 'subscribe'));
    return seeOther(session.successUrl);
  }),

  implement(billing.getSandboxPortal, async (ctx, { params }) => {
    const session = await getOpenSession(ctx, 'portal', params.session_id);
    const overview = await readBilling(ctx.db, session.workspaceId, ctx.clock());
    return {
      status: 200,
      body: portalPage(session, overview, await listSandboxInvoices(ctx.db, session.workspaceId)),
    };
  }),

  implement(billing.getSandboxInvoice, async (ctx, { params }) => {
    const session = await getOpenSession(ctx, 'portal', params.session_id);
    const invoice = (await listSandboxInvoices(ctx.db, session.workspaceId)).find(
      ({ id }) => id === params.invoice_id,
    );
    if (!invoice) throw notFound();
    return { status: 200, body: invoicePage(session, invoice) };
  }),

  implement(billing.submitSandboxPortal, async (ctx, { params, body }, { request }) => {
    const session = await getOpenSession(ctx, 'portal', params.session_id);
    const action = PORTAL_ACTIONS.get(readButton(body));
    if (action === undefined) throw unknownButton();
    if (action !== null) await postEvents(request.server, await signedEventsOf(ctx, session, action));
    return seeOther(session.successUrl);
  }),
];

/** Null: leave the portal without a change. */
const PORTAL_ACTIONS = new Map<string | null, SandboxAction | null>([
  ['back', null],
  ['cancel', 'cancel'],
  ['fail', 'fail_payment'],
  ['pay', 'pay'],
]);
