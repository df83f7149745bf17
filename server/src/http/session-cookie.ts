import type { Config } from '../config.ts';

type Place = Pick<Config, 'baseUrl'>;

/** Under https, the `__Host-` prefix makes the browser refuse such a cookie from a subdomain or over http. */
function cookieName(config: Place): string {
  return isSecure(config) ? '__Host-earshot_session' : 'earshot_session';
}

/** Null without the cookie, and also when it is there twice: it is unclear which of the two counts. */
export function readSessionCookie(config: Place, header: string | undefined): string | null {
  const start = `${cookieName(config)}=`;
  const found = (header ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(start));
  const value = found.length === 1 ? found[0]?.slice(start.length) : undefined;
  return value || null;
}

export function writeSessionCookie(config: Place, token: string, expiresAt: Date): string {
  return cookie(config, token, `Expires=${expiresAt.toUTCString()}`);
}

export function clearSessionCookie(config: Place): string {
  return cookie(config, '', 'Max-Age=0');
}

/** Tokens are base64url, so that nothing needs quoting. */
function cookie(config: Place, value: string, lifetime: string): string {
  const secure = isSecure(config) ? ['Secure'] : [];
  return [`${cookieName(config)}=${value}`, 'Path=/', lifetime, 'HttpOnly', ...secure, 'SameSite=Lax'].join(
    '; ',
  );
}

function isSecure({ baseUrl }: Place): boolean {
  return baseUrl.startsWith('https:');
}
