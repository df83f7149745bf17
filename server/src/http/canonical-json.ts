/**
 * The same text for equal JSON: members sorted by name, without spaces. A top-level `idempotency_key` is left out: it identifies the
 * request, is not part of it, and may come in a header instead.
 */
export function canonicalJson(value: unknown): string {
  if (!isObject(value)) return JSON.stringify(value, sortMembers);
  const { idempotency_key: _, ...request } = value;
  return JSON.stringify(request, sortMembers);
}

function sortMembers(_key: string, value: unknown): unknown {
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
