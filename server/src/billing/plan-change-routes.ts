import { operations } from '@earshot/contract';
import { implement } from '../http/implement.ts';
import { readButton, seeOther, unknownButton } from './page-buttons.ts';
import { confirmPlanChange, getOpenPlanChange } from './plan-change.ts';
import { planChangePage } from './plan-change-page.ts';
import { postEvents } from './post-events.ts';

const { getPlanChange, submitPlanChange } = operations.billing;

/** The confirmation page of a plan change. Its unguessable id is the only credential, as for a checkout page. */
export const planChangeRoutes = [
  implement(getPlanChange, async (ctx, { params }) => ({
    status: 200,
    body: planChangePage(await getOpenPlanChange(ctx, params.session_id)),
  })),

  implement(submitPlanChange, async (ctx, { params, body }, { request }) => {
    const open = await getOpenPlanChange(ctx, params.session_id);
    const { cancelUrl, successUrl } = open.change;
    const pressed = readButton(body);
    if (pressed === 'cancel') return seeOther(cancelUrl);
    if (pressed !== 'confirm') throw unknownButton();
    await postEvents(request.server, await confirmPlanChange(ctx, open));
    return seeOther(successUrl);
  }),
];
