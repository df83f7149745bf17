import { useState } from 'react';

/** A secret that is told now and never again. */
export function ShownOnce({ message, secret }: { message: string; secret: string | null }) {
  const [copied, setCopied] = useState<string | null>(null);
  if (secret === null) return null;
  const copy = () => void navigator.clipboard.writeText(secret).then(() => setCopied(secret));
  return (
    <div className="card" role="status">
      <p>{message}</p>
      <p className="spread">
        <code>{secret}</code>
        <button type="button" onClick={copy}>
          {copied === secret ? 'Copied' : 'Copy'}
        </button>
      </p>
    </div>
  );
}
