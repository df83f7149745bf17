/** The message of a failed action, which screen readers announce; null shows nothing. */
export function Problem({ text }: { text: string | null }) {
  if (text === null) return null;
  return (
    <p className="error" role="alert">
      {text}
    </p>
  );
}
