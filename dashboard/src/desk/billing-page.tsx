import { earshot } from '../api.ts';
import { formatBytes } from '../format.ts';
import { LoadedView } from '../ui/loaded-view.tsx';
import { Problem } from '../ui/problem.tsx';
import { useAction } from '../use-action.ts';
import { useLoad } from '../use-load.ts';
import { UsageChart } from './usage-chart.tsx';

const PLANS = [
  { name: 'pro', text: '5,000 analyses a month' },
  { name: 'scale', text: '50,000 analyses a month, more as you need' },
] as const;

export function BillingPage() {
  const [state, reload] = useLoad(async () => {
    const [billing, usage] = await Promise.all([
      earshot.request('getBillingStatus', {}),
      earshot.request('getUsage', {}),
    ]);
    if (!('plan' in billing) || !('local_analysis_jobs' in usage))
      throw new Error('The service answered in another shape.');
    return { billing, usage };
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
        {({ billing, usage }) => {
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
                  </dd>
                </div>
                <div>
                  <dt>Left</dt>
                  <dd>{billing.local_credit_balance}</dd>
                </div>
                <div>
                  <dt>Audio kept</dt>
                  <dd>
                    {formatBytes(usage.storage.used_bytes)}
                    <small>of {formatBytes(usage.storage.limit_bytes)}</small>
                  </dd>
                </div>
                <div>
                  <dt>Enrichments</dt>
                  <dd>{usage.provider_enrichment_jobs}</dd>
                </div>
              </dl>
              <progress max={total || 1} value={used} aria-label={`${used} of ${total} analyses used`} />
              <div className="heading">
                <UsageChart usage={usage} />
              </div>
              <div className="columns">
                {PLANS.filter((plan) => plan.name !== billing.plan).map((plan) => (
                  <section key={plan.name} className="card">
                    <h2 className="capital">{plan.name}</h2>
                    <p>{plan.text}</p>
                    <button
                      type="button"
                      className="main"
                      disabled={busy}
                      onClick={() =>
                        go(() =>
                          earshot.request('createCheckoutSession', {
                            body: { plan: plan.name, success_url: here, cancel_url: here },
                          }),
                        )
                      }
                    >
                      Move to {plan.name}
                    </button>
                  </section>
                ))}
              </div>
              {billing.plan !== 'free' && (
                <button
                  type="button"
                  disabled={busy}
                  onClick={() => go(() => earshot.request('createPortalSession', {}))}
                >
                  Manage the subscription
                </button>
              )}
            </>
          );
        }}
      </LoadedView>
    </>
  );
}
