/** Why the last thing did not work, said aloud too. Nothing when it did. */
export function Problem({ text }: { text: string | null }) {
  if (text === null) return null;
  return (
    <p className="error" role="alert">
      {text}
    </p>
  );
}
