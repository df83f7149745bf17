const KEY_BYTES = 16;

/** Not crypto.randomUUID, which browsers offer over HTTPS and on localhost only: a service may have an address such as http://nas:8080. */
export function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(KEY_BYTES));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
