/** A state as a coloured word; the word alone says it. */
export function Status({ value }: { value: string }) {
  return (
    <span className="status" data-status={value}>
      {value}
    </span>
  );
}
