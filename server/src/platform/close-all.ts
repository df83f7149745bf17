/** Closes step after step, whether or not the one before could be; those of one step at once. What failed is thrown at the end. */
export async function closeAll(steps: readonly (readonly (() => unknown)[])[]): Promise<void> {
  const errors: unknown[] = [];
  for (const step of steps) {
    const outcomes = await Promise.allSettled(step.map(async (close) => close()));
    for (const outcome of outcomes) if (outcome.status === 'rejected') errors.push(outcome.reason);
  }
  if (errors.length > 0) throw new AggregateError(errors, 'Not everything could be closed');
}
