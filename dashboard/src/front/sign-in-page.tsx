import { useEffect, useRef, useState } from 'react';
import { earshot } from '../api.ts';
import { onFormSubmit } from '../on-form-submit.ts';
import { useSession } from '../session.tsx';
import { Brand } from '../ui/brand.tsx';
import { Problem } from '../ui/problem.tsx';
import { useAction } from '../use-action.ts';
import { useTitle } from '../use-title.ts';

type Challenge = { id: string; email: string; devCode: string | null };

/** Six digits, and a space between them as some mail programs show it. */
const CODE_CHARACTERS_MAX = 7;

export function SignInPage() {
  useTitle('Sign in');
  const [challenge, setChallenge] = useState<Challenge | null>(null);
  return (
    <main className="narrow">
      <Brand />
      {challenge === null ? (
        <EmailForm onSent={setChallenge} />
      ) : (
        <CodeForm challenge={challenge} onChangeEmail={() => setChallenge(null)} />
      )}
    </main>
  );
}

function EmailForm({ onSent }: { onSent: (challenge: Challenge) => void }) {
  const { busy, problem, run } = useAction();
  const requestCode = onFormSubmit((values) => {
    const email = String(values.get('email'));
    void run(async () => {
      const challenge = await earshot.request('startSignIn', { body: { email } });
      onSent({ id: challenge.challenge_id, email, devCode: challenge.dev_code });
    });
  });
  return (
    <>
      <form className="card" onSubmit={requestCode}>
        <h1>Sign in</h1>
        <p className="soft">
          We e-mail you a code; there is no password. Your first sign-in creates the account.
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
      <Problem text={problem} />
    </>
  );
}

function CodeForm({ challenge, onChangeEmail }: { challenge: Challenge; onChangeEmail: () => void }) {
  const { id, email, devCode } = challenge;
  const { reload } = useSession();
  const { busy, problem, run } = useAction();
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  const signIn = onFormSubmit((values) => {
    const code = String(values.get('code')).replace(/\s/g, '');
    void run(async () => {
      await earshot.request('verifySignIn', { body: { challenge_id: id, code } });
      reload();
    });
  });
  return (
    <>
      <form className="card" onSubmit={signIn}>
        <h1>Enter the code</h1>
        <p className="soft">
          {devCode === null
            ? `We sent six digits to ${email}. They are valid for ten minutes.`
            : `This server sends no mail. Your code is ${devCode}.`}
        </p>
        <label>
          Code
          <input
            ref={field}
            name="code"
            inputMode="numeric"
            autoComplete="one-time-code"
            required
            maxLength={CODE_CHARACTERS_MAX}
          />
        </label>
        <p className="row">
          <button type="submit" className="main" disabled={busy}>
            Sign in
          </button>
          <button type="button" onClick={onChangeEmail}>
            Use another address
          </button>
        </p>
      </form>
      <Problem text={problem} />
    </>
  );
}
