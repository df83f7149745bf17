/**
 * The same text for equal JSON values: members sorted by name, no spaces. A top-level `idempotency_key` is omitted: it identifies the
 * request without being part of it, and may be sent as a header instead.
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
