/** A state as a word; its colour adds nothing that the word does not say. */
export function Status({ value }: { value: string }) {
  return (
    <span className="status" data-status={value}>
      {value}
    </span>
  );
}
