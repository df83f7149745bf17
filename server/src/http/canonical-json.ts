/**
 * One text for one meaning: members in the order of their names, without spaces. The member `idempotency_key` is left out at
 * the top: it names the request and is no part of it, and may come in the header instead.
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
