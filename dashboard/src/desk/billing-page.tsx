import { earshot } from '../api.ts';
import { formatBytes, formatMoney } from '../format.ts';
import { LoadedView } from '../ui/loaded-view.tsx';
import { Problem } from '../ui/problem.tsx';
import { useAction } from '../use-action.ts';
import { useLoad } from '../use-load.ts';
import { UsageChart } from './usage-chart.tsx';

export function BillingPage() {
  const [state, reload] = useLoad(async () => {
    const [billing, usage, { plans }] = await Promise.all([
      earshot.request('getBillingStatus', {}),
      earshot.request('getUsage', {}),
      earshot.request('listPlans', {}),
    ]);
    if (!('plan' in billing) || !('local_analysis_jobs' in usage))
      throw new Error('The service answered in another shape.');
    return { billing, usage, plans };
  }, 'billing');
  const { busy, problem, run } = useAction();
  const here = `${window.location.origin}/billing`;
  const go = (open: () => Promise<{ url: string }>) =>
    void run(async () => {
      window.location.assign((await open()).url);
    });
  return (
    <>
      <h1 className="page-head">Usage and billing</h1>
      <Problem text={problem} />
      <LoadedView loaded={state} reload={reload}>
        {({ billing, usage, plans }) => {
          const used = usage.local_analysis_credits;
          const total = used + billing.local_credit_balance;
          return (
            <>
              <dl className="numbers">
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
                    {used}
                    <small>of {total}</small>
                    <progress
                      max={total || 1}
                      value={used}
                      aria-label={`${used} of ${total} analyses used`}
                    />
                  </dd>
                </div>
                <div>
                  <dt>Audio kept</dt>
                  <dd>
                    {formatBytes(usage.storage.used_bytes)}
                    <small>of {formatBytes(usage.storage.limit_bytes)}</small>
                    <progress
                      max={usage.storage.limit_bytes || 1}
                      value={usage.storage.used_bytes}
                      aria-label={`${formatBytes(usage.storage.used_bytes)} of audio kept`}
                    />
                  </dd>
                </div>
                <div>
                  <dt>Enrichments</dt>
                  <dd>{usage.provider_enrichment_jobs}</dd>
                </div>
              </dl>
              <div className="heading">
                <UsageChart usage={usage} />
              </div>
              <h2 className="heading">Plans</h2>
              <div className="plans">
                {plans.map(({ plan, price, ...holds }) => (
                  <section key={plan} className="card" aria-label={`Plan ${plan}`}>
                    <h3 className="capital">{plan}</h3>
                    <p className="price">
                      {price
                        ? formatMoney(price.amount, price.currency)
                        : plan === 'free'
                          ? 'Free'
                          : 'On request'}
                      {price && <small className="soft"> a month</small>}
                    </p>
                    <ul className="plain soft">
                      <li>{holds.analyses_per_month.toLocaleString()} analyses a month</li>
                      <li>{formatBytes(holds.storage_bytes)} of audio kept</li>
                      <li>
                        {holds.overage ? 'More as you need, billed each' : 'Stops there until the next month'}
                      </li>
                    </ul>
                    {plan === billing.plan ? (
                      <p className="chip">Your plan</p>
                    ) : (
                      price &&
                      plan !== 'free' && (
                        <button
                          type="button"
                          className="main"
                          disabled={busy}
                          onClick={() =>
                            go(() =>
                              earshot.request('createCheckoutSession', {
                                body: { plan, success_url: here, cancel_url: here },
                              }),
                            )
                          }
                        >
                          Move to {plan}
                        </button>
                      )
                    )}
                  </section>
                ))}
              </div>
              {billing.plan !== 'free' && (
                <button
                  type="button"
                  disabled={busy}
                  onClick={() => go(() => earshot.request('createPortalSession', {}))}
                >
                  Subscription and invoices
                </button>
              )}
            </>
          );
        }}
      </LoadedView>
    </>
  );
}
