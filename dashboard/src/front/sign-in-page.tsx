import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { earshot } from '../api.ts';
import { useSession } from '../session.tsx';
import { Brand } from '../ui/brand.tsx';
import { Problem } from '../ui/problem.tsx';
import { useTitle } from '../use-title.ts';

type Challenge = { id: string; email: string; devCode: string | null };

export function SignInPage() {
  const [challenge, setChallenge] = useState<Challenge | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const { reload } = useSession();
  useTitle('Sign in');
  const [location, go] = useLocation();
  const codeField = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (challenge) codeField.current?.focus();
  }, [challenge]);

  const run = (work: (form: FormData) => Promise<void>) => async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setBusy(true);
    setProblem(null);
    try {
      await work(new FormData(event.currentTarget));
    } catch (error) {
      setProblem((error as Error).message);
    } finally {
      setBusy(false);
    }
  };
  const askForCode = run(async (form) => {
    const email = String(form.get('email'));
    const answer = await earshot.request('startSignIn', { body: { email } });
    setChallenge({ id: answer.challenge_id, email, devCode: answer.dev_code });
  });
  const signIn = run(async (form) => {
    const code = String(form.get('code')).replace(/\s/g, '');
    await earshot.request('verifySignIn', { body: { challenge_id: challenge?.id ?? '', code } });
    if (location === '/sign-in') go('/');
    reload();
  });

  return (
    <main className="narrow">
      <Brand />
      {challenge === null ? (
        // Keys, or the field of the code would be that of the address, with the address in it.
        <form key="address" className="card" onSubmit={askForCode}>
          <h1>Sign in</h1>
          <p className="soft">
            By a code that we mail you, without a password. The first one makes your account.
          </p>
          <label>
            E-mail address
            <input name="email" type="email" autoComplete="email" required />
          </label>
          <p>
            <button type="submit" className="main" disabled={busy}>
              Send me a code
            </button>
          </p>
        </form>
      ) : (
        <form key="code" className="card" onSubmit={signIn}>
          <h1>Enter the code</h1>
          <p className="soft">
            {challenge.devCode === null
              ? `We sent six digits to ${challenge.email}. They are good for ten minutes.`
              : `This server sends no mail. Your code is ${challenge.devCode}.`}
          </p>
          <label>
            Code
            <input
              ref={codeField}
              name="code"
              inputMode="numeric"
              autoComplete="one-time-code"
              required
              maxLength={7}
            />
          </label>
          <p className="row">
            <button type="submit" className="main" disabled={busy}>
              Sign in
            </button>
            <button
              type="button"
              onClick={() => {
                setChallenge(null);
                setProblem(null);
              }}
            >
              Another address
            </button>
          </p>
        </form>
      )}
      <Problem text={problem} />
    </main>
  );
}
