import type { Config } from '../config.ts';

type Site = Pick<Config, 'baseUrl'>;

/** Under https, the `__Host-` prefix makes the browser refuse such a cookie from a subdomain or over http. */
function cookieName(config: Site): string {
  return isSecure(config) ? '__Host-earshot_session' : 'earshot_session';
}

/** Null without the cookie, or when it was sent twice: which of the two is ours cannot be known. */
export function readSessionCookie(config: Site, header: string | undefined): string | null {
  const start = `${cookieName(config)}=`;
  const found = (header ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(start));
  const value = found.length === 1 ? found[0]?.slice(start.length) : undefined;
  return value || null;
}

export function writeSessionCookie(config: Site, token: string, expiresAt: Date): string {
  return cookie(config, token, `Expires=${expiresAt.toUTCString()}`);
}

export function clearSessionCookie(config: Site): string {
  return cookie(config, '', 'Max-Age=0');
}

/** Tokens are base64url, so nothing needs quoting. */
function cookie(config: Site, value: string, lifetime: string): string {
  const secure = isSecure(config) ? ['Secure'] : [];
  return [`${cookieName(config)}=${value}`, 'Path=/', lifetime, 'HttpOnly', ...secure, 'SameSite=Lax'].join(
    '; ',
  );
}

function isSecure({ baseUrl }: Site): boolean {
  return baseUrl.startsWith('https:');
}
