/** One thing the service needs, and whether it is there. A warning is a choice somebody may have made on purpose. */
export type Finding = { name: string; status: 'ok' | 'warning' | 'failed'; detail: string };

export type Check = { name: string; look: () => Promise<Omit<Finding, 'name'>> };

export const ok = (detail: string) => ({ status: 'ok', detail }) as const;
export const warning = (detail: string) => ({ status: 'warning', detail }) as const;
export const failed = (detail: string) => ({ status: 'failed', detail }) as const;

/** A check that throws has failed, and its message says why; the others are made all the same. */
export async function runCheck({ name, look }: Check): Promise<Finding> {
  try {
    return { name, ...(await look()) };
  } catch (error) {
    return { name, ...failed(explain(error)) };
  }
}

/** The sentence and what lies behind it: an operator may see both. */
function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // Several addresses tried in turn: it says nothing itself, and the last failure is as telling as any.
  if (error instanceof AggregateError) return explain(error.errors.at(-1));
  return error.cause === undefined ? error.message : `${error.message} ${explain(error.cause)}`;
}

const MARKS = { ok: 'ok     ', warning: 'warning', failed: 'FAILED ' };
const NAME_CHARACTERS = 14;

/** Further lines of the detail stand below its first. */
export function formatFinding({ name, status, detail }: Finding): string {
  const head = `${MARKS[status]} ${name.padEnd(NAME_CHARACTERS)} `;
  return head + detail.replaceAll('\n', `\n${' '.repeat(head.length)}`);
}
