/** Runs the steps in order and the functions of each step concurrently. An error does not stop the rest; all are thrown at the end. */
export async function closeAll(steps: readonly (readonly (() => unknown)[])[]): Promise<void> {
  const errors: unknown[] = [];
  for (const step of steps) {
    const outcomes = await Promise.allSettled(step.map(async (close) => close()));
    for (const outcome of outcomes) if (outcome.status === 'rejected') errors.push(outcome.reason);
  }
  if (errors.length > 0) throw new AggregateError(errors, 'Not everything could be closed');
}
