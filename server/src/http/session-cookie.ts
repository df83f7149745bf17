import cookies from '@fastify/cookie';
import type { Config } from '../config.ts';

type Place = Pick<Config, 'baseUrl'>;

/** Under https the `__Host-` name makes the browser itself refuse a cookie set by a subdomain or over http. */
function cookieName(config: Place): string {
  return isSecure(config) ? '__Host-earshot_session' : 'earshot_session';
}

export function readSessionCookie(config: Place, header: string | undefined): string | null {
  if (header === undefined) return null;
  return cookies.parse(header)[cookieName(config)] || null;
}

export function writeSessionCookie(config: Place, token: string, expiresAt: Date): string {
  return cookies.serialize(cookieName(config), token, { ...attributesOf(config), expires: expiresAt });
}

export function clearSessionCookie(config: Place): string {
  return cookies.serialize(cookieName(config), '', { ...attributesOf(config), maxAge: 0 });
}

function attributesOf(config: Place) {
  return { path: '/', httpOnly: true, sameSite: 'lax', secure: isSecure(config) } as const;
}

function isSecure({ baseUrl }: Place): boolean {
  return baseUrl?.startsWith('https:') ?? false;
}
