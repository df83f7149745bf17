/** The result of a check. A warning is about something that may be intended. */
export type Finding = { name: string; status: 'ok' | 'warning' | 'failed'; detail: string };

export type Check = { name: string; run: () => Promise<Omit<Finding, 'name'>> };

export const ok = (detail: string) => ({ status: 'ok', detail }) as const;
export const warning = (detail: string) => ({ status: 'warning', detail }) as const;
export const failed = (detail: string) => ({ status: 'failed', detail }) as const;

/** Never throws: a check that throws has failed, and its error message is the detail. */
export async function runCheck({ name, run }: Check): Promise<Finding> {
  try {
    return { name, ...(await run()) };
  } catch (error) {
    return { name, ...failed(explain(error)) };
  }
}

/** The message of an error and those of its causes. */
function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // Node throws it, without a message, when each of several addresses failed. The last failure is reported.
  if (error instanceof AggregateError) return explain(error.errors.at(-1));
  return error.cause === undefined ? error.message : `${error.message} ${explain(error.cause)}`;
}

const MARKS = { ok: 'ok     ', warning: 'warning', failed: 'FAILED ' };
const NAME_CHARACTERS = 14;

/** Further lines of the detail are aligned with its first. */
export function formatFinding({ name, status, detail }: Finding): string {
  const head = `${MARKS[status]} ${name.padEnd(NAME_CHARACTERS)} `;
  return head + detail.replaceAll('\n', `\n${' '.repeat(head.length)}`);
}
