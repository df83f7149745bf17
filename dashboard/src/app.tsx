import { lazy, Suspense } from 'react';
import { Redirect, Route, Switch } from 'wouter';
import { AnalysesPage } from './pages/analyses-page.tsx';
import { SignInPage } from './pages/sign-in-page.tsx';
import { Shell } from './parts/shell.tsx';
import { SessionProvider, useSession } from './session.tsx';

const ApiKeysPage = lazy(async () => ({ default: (await import('./pages/api-keys-page.tsx')).ApiKeysPage }));

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
        <Route path="/sign-in" component={SignInPage} />
        <Route>
          <Redirect to="/sign-in" />
        </Route>
      </Switch>
    );
  }
  return (
    <Shell profile={profile}>
      <Suspense
        fallback={
          <p className="page-state" aria-busy="true">
            Loading…
          </p>
        }
      >
        <Switch>
          <Route path="/" component={AnalysesPage} />
          <Route path="/keys" component={ApiKeysPage} />
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
