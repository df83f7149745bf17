import { withDeadline } from '@earshot/sdk';

export type Answer =
  | { kind: 'answer'; status: number; text: string; body: unknown; code: string | null }
  /** No complete answer arrived: the request may or may not have been processed. */
  | { kind: 'unknown'; reason: string };

/** Sends one request. Never throws, and never waits longer than `timeoutMs`. */
export async function callService(url: string, init: RequestInit, timeoutMs: number): Promise<Answer> {
  try {
    const { status, text } = await withDeadline(timeoutMs, async (signal) => {
      const response = await fetch(url, { ...init, signal, redirect: 'manual' });
      return { status: response.status, text: await response.text() };
    });
    const body = parse(text);
    return { kind: 'answer', status, text, body, code: codeOf(body) };
  } catch (error) {
    const { message, cause } = error as Error & { cause?: { code?: string } };
    return { kind: 'unknown', reason: cause?.code ?? message };
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function codeOf(body: unknown): string | null {
  const code = (body as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : null;
}
