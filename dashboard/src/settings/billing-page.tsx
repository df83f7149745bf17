import type { RequestOutput } from '@earshot/sdk';
import { earshot } from '../api.ts';
import { formatBytes, formatMoney } from '../format.ts';
import { useHasRole } from '../session.tsx';
import { LoadedView } from '../ui/loaded-view.tsx';
import { Problem } from '../ui/problem.tsx';
import { useAction } from '../use-action.ts';
import { useLoad } from '../use-load.ts';
import { UsageChart } from './usage-chart.tsx';

type Billing = Awaited<ReturnType<typeof loadBilling>>;
type Plan = RequestOutput<'listPlans'>['plans'][number];
type PaidPlan = Exclude<Plan['plan'], 'free'>;

async function loadBilling() {
  const [billing, usage, { plans }] = await Promise.all([
    earshot.request('getBillingStatus', {}),
    earshot.request('getUsage', {}),
    earshot.request('listPlans', {}),
  ]);
  if (!('plan' in billing) || !('local_analysis_jobs' in usage))
    throw new Error('The service sent an unexpected response.');
  return { billing, usage, plans };
}

export function BillingPage() {
  const [state, reload] = useLoad(loadBilling, 'billing');
  const { busy, problem, run } = useAction();
  const isOwner = useHasRole('owner');
  const returnUrl = `${window.location.origin}/billing`;
  const redirectTo = (createSession: () => Promise<{ url: string }>) =>
    void run(async () => {
      window.location.assign((await createSession()).url);
    });
  const choosePlan = (plan: PaidPlan) =>
    redirectTo(() =>
      earshot.request('createCheckoutSession', {
        body: { plan, success_url: returnUrl, cancel_url: returnUrl },
      }),
    );
  return (
    <>
      <h1 className="page-head">Usage and billing</h1>
      <Problem text={problem} />
      <LoadedView loaded={state} reload={reload}>
        {({ billing, usage, plans }) => (
          <>
            <UsageNumbers billing={billing} usage={usage} />
            <div className="heading">
              <UsageChart usage={usage} />
            </div>
            <h2 className="heading">Plans</h2>
            {!isOwner && <p className="soft">The owner of the workspace can change the plan.</p>}
            <div className="plans">
              {plans.map((plan) => (
                <PlanCard
                  key={plan.plan}
                  offer={plan}
                  isOwn={plan.plan === billing.plan}
                  busy={busy}
                  onChoose={isOwner ? choosePlan : null}
                />
              ))}
            </div>
            {isOwner && billing.plan !== 'free' && (
              <button
                type="button"
                disabled={busy}
                onClick={() => redirectTo(() => earshot.request('createPortalSession', {}))}
              >
                Subscription and invoices
              </button>
            )}
          </>
        )}
      </LoadedView>
    </>
  );
}

function UsageNumbers({ billing, usage }: Pick<Billing, 'billing' | 'usage'>) {
  const usedCredits = usage.local_analysis_credits;
  const totalCredits = usedCredits + billing.local_credit_balance;
  const { used_bytes: storedBytes, limit_bytes: limitBytes } = usage.storage;
  return (
    <dl className="usage-numbers">
      <div>
        <dt>Plan</dt>
        <dd>
          {billing.plan}
          <small>{billing.status}</small>
        </dd>
      </div>
      <div>
        <dt>Used this month</dt>
        <dd>
          {usedCredits.toLocaleString()}
          <small>of {totalCredits.toLocaleString()}</small>
          <progress
            max={totalCredits || 1}
            value={usedCredits}
            aria-label={`${usedCredits} of ${totalCredits} analyses used`}
          />
        </dd>
      </div>
      <div>
        <dt>Audio stored</dt>
        <dd>
          <span className="nowrap">{formatBytes(storedBytes)}</span>{' '}
          <small className="nowrap">of {formatBytes(limitBytes)}</small>
          <progress
            max={limitBytes || 1}
            value={storedBytes}
            aria-label={`${formatBytes(storedBytes)} of audio stored`}
          />
        </dd>
      </div>
      <div>
        <dt>Enrichments</dt>
        <dd>{usage.provider_enrichment_jobs}</dd>
      </div>
    </dl>
  );
}

function PlanCard(props: {
  offer: Plan;
  isOwn: boolean;
  busy: boolean;
  onChoose: ((plan: PaidPlan) => void) | null;
}) {
  const { offer, isOwn, busy, onChoose } = props;
  const { plan, price, ...limits } = offer;
  const name = plan.charAt(0).toUpperCase() + plan.slice(1);
  const withoutPrice = plan === 'free' ? 'Free' : 'On request';
  return (
    <section className="card" aria-label={`Plan ${plan}`}>
      <h3>{name}</h3>
      <p className="price">
        {price ? formatMoney(price.amount, price.currency) : withoutPrice}
        {price && <small className="soft"> a month</small>}
      </p>
      <ul className="plain soft">
        <li>{limits.analyses_per_month.toLocaleString()} analyses a month</li>
        <li>{formatBytes(limits.storage_bytes)} of audio stored</li>
        <li>
          {limits.overage
            ? 'Further analyses are billed individually'
            : 'No further analyses until the next month'}
        </li>
      </ul>
      {isOwn && <p className="chip">Your plan</p>}
      {!isOwn && onChoose && price && plan !== 'free' && (
        <button type="button" className="main" disabled={busy} onClick={() => onChoose(plan)}>
          Move to {name}
        </button>
      )}
    </section>
  );
}
