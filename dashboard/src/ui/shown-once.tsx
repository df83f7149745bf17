import { CopyButton } from './copy-button.tsx';

/** A secret that the service returns only once, when it is created. */
export function ShownOnce({ message, secret }: { message: string; secret: string | null }) {
  if (secret === null) return null;
  return (
    <div className="card" role="status">
      <p>{message}</p>
      <p className="spread">
        <code>{secret}</code>
        <CopyButton key={secret} text={secret} />
      </p>
    </div>
  );
}
