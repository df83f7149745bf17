import { lazy, Suspense } from 'react';
import { Redirect, Route, Switch } from 'wouter';
import { AnalysesPage } from './pages/analyses-page.tsx';
import { LandingPage } from './pages/landing-page.tsx';
import { SignInPage } from './pages/sign-in-page.tsx';
import { Loading } from './parts/loading.tsx';
import { Shell } from './parts/shell.tsx';
import { SessionProvider, useSession } from './session.tsx';

const AnalysisPage = lazy(async () => ({
  default: (await import('./pages/analysis-page.tsx')).AnalysisPage,
}));
const ComparePage = lazy(async () => ({ default: (await import('./pages/compare-page.tsx')).ComparePage }));
const ApiKeysPage = lazy(async () => ({ default: (await import('./pages/api-keys-page.tsx')).ApiKeysPage }));
const TeamPage = lazy(async () => ({ default: (await import('./pages/team-page.tsx')).TeamPage }));
const WebhooksPage = lazy(async () => ({
  default: (await import('./pages/webhooks-page.tsx')).WebhooksPage,
}));
const BillingPage = lazy(async () => ({ default: (await import('./pages/billing-page.tsx')).BillingPage }));
const AuditPage = lazy(async () => ({ default: (await import('./pages/audit-page.tsx')).AuditPage }));
const ProfilePage = lazy(async () => ({ default: (await import('./pages/profile-page.tsx')).ProfilePage }));

export function App() {
  return (
    <SessionProvider>
      <Pages />
    </SessionProvider>
  );
}

function Pages() {
  const { profile } = useSession();
  if (!profile) {
    return (
      <Switch>
        <Route path="/" component={LandingPage} />
        <Route component={SignInPage} />
      </Switch>
    );
  }
  return (
    <Shell profile={profile}>
      <Suspense fallback={<Loading />}>
        <Switch>
          <Route path="/" component={AnalysesPage} />
          <Route path="/analyses/:jobId" component={AnalysisPage} />
          <Route path="/compare/:first" component={ComparePage} />
          <Route path="/compare/:first/:second" component={ComparePage} />
          <Route path="/keys" component={ApiKeysPage} />
          <Route path="/team" component={TeamPage} />
          <Route path="/webhooks" component={WebhooksPage} />
          <Route path="/billing" component={BillingPage} />
          <Route path="/audit" component={AuditPage} />
          <Route path="/profile" component={ProfilePage} />
          <Route path="/sign-in">
            <Redirect to="/" />
          </Route>
          <Route>
            <p className="page-state">There is no such page.</p>
          </Route>
        </Switch>
      </Suspense>
    </Shell>
  );
}
