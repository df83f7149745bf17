import { type ComponentType, lazy, Suspense } from 'react';
import { Link, Redirect, Route, Switch, useLocation } from 'wouter';
import { LandingPage } from './front/landing-page.tsx';
import { SignInPage } from './front/sign-in-page.tsx';
import { LibraryPage } from './library/library-page.tsx';
import { PlayerProvider } from './playback/use-player.tsx';
import { mayBeSignedIn, SessionProvider, useSession } from './session.tsx';
import { Shell } from './shell.tsx';
import { prefetchSong } from './song/song-requests.ts';
import { Boundary } from './ui/boundary.tsx';
import { ConfirmProvider } from './ui/confirm.tsx';
import { Loading } from './ui/loading.tsx';
import { ToastProvider } from './ui/toasts.tsx';
import { UploadProvider } from './uploads/upload-tray.tsx';

/** A page whose code is loaded on the first visit. */
function lazyPage<Props>(load: () => Promise<ComponentType<Props>>) {
  return lazy(async () => ({ default: (await load()) as ComponentType }));
}

const loadSongPage = async () => (await import('./song/song-page.tsx')).SongPage;
const SongPage = lazyPage(loadSongPage);
const ComparePage = lazyPage(async () => (await import('./song/compare-page.tsx')).ComparePage);
const CratesPage = lazyPage(async () => (await import('./library/crates-page.tsx')).CratesPage);
const CratePage = lazyPage(async () => (await import('./library/crate-page.tsx')).CratePage);
const ApiKeysPage = lazyPage(async () => (await import('./settings/api-keys-page.tsx')).ApiKeysPage);
const TeamPage = lazyPage(async () => (await import('./settings/team-page.tsx')).TeamPage);
const WebhooksPage = lazyPage(async () => (await import('./settings/webhooks-page.tsx')).WebhooksPage);
const BillingPage = lazyPage(async () => (await import('./settings/billing-page.tsx')).BillingPage);
const AuditPage = lazyPage(async () => (await import('./settings/audit-page.tsx')).AuditPage);
const InvitationPage = lazyPage(async () => (await import('./settings/invitation-page.tsx')).InvitationPage);
const ProfilePage = lazyPage(async () => (await import('./settings/profile-page.tsx')).ProfilePage);

/** A visit that starts at a song's URL loads the page's code, the song and the profile in parallel. */
const [, firstJobId] = /^\/analyses\/(\w+)$/.exec(window.location.pathname) ?? [];
if (firstJobId !== undefined && mayBeSignedIn) {
  prefetchSong(firstJobId);
  // A failure is reported when the page renders.
  loadSongPage().catch(() => {});
}

export function App() {
  return (
    <ToastProvider>
      <ConfirmProvider>
        <PlayerProvider>
          <Boundary place="app">
            <SessionProvider>
              <Pages />
            </SessionProvider>
          </Boundary>
        </PlayerProvider>
      </ConfirmProvider>
    </ToastProvider>
  );
}

function Pages() {
  const { profile } = useSession();
  const [location] = useLocation();
  if (!profile) {
    return (
      <Switch>
        <Route path="/" component={LandingPage} />
        <Route component={SignInPage} />
      </Switch>
    );
  }
  return (
    <UploadProvider>
      <Shell profile={profile}>
        <Boundary place={location}>
          <Suspense fallback={<Loading />}>
            <Switch>
              <Route path="/" component={LibraryPage} />
              <Route path="/analyses/:jobId" component={SongPage} />
              <Route path="/compare/:first" component={ComparePage} />
              <Route path="/compare/:first/:second" component={ComparePage} />
              <Route path="/crates" component={CratesPage} />
              <Route path="/crates/:crateId" component={CratePage} />
              <Route path="/keys" component={ApiKeysPage} />
              <Route path="/team" component={TeamPage} />
              <Route path="/webhooks" component={WebhooksPage} />
              <Route path="/billing" component={BillingPage} />
              <Route path="/audit" component={AuditPage} />
              <Route path="/profile" component={ProfilePage} />
              <Route path="/invitations/:invitationId" component={InvitationPage} />
              <Route path="/sign-in">
                <Redirect to="/" replace />
              </Route>
              <Route>
                <NoSuchPage />
              </Route>
            </Switch>
          </Suspense>
        </Boundary>
      </Shell>
    </UploadProvider>
  );
}

function NoSuchPage() {
  return (
    <div className="page-state">
      <h1>There is no such page</h1>
      <p>The URL may be mistyped, or the page may have been deleted.</p>
      <Link className="button" href="/">
        Go to the library
      </Link>
    </div>
  );
}
