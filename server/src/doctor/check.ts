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
  return error.cause === undefined ? error.message : `${error.message} ${explain(error.cause)}`;
}

const MARKS = { ok: 'ok     ', warning: 'warning', failed: 'FAILED ' };

export function formatFinding({ name, status, detail }: Finding): string {
  return `${MARKS[status]} ${name.padEnd(14)} ${detail.replaceAll('\n', `\n${' '.repeat(23)}`)}`;
}
