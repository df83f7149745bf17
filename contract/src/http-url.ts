/**
 * Why a text is not an http(s) address, in the words of pydantic's HttpUrl; null when it is one. Only spelling is judged
 * here: where the address leads is the guarded client's question, asked again at every use.
 */
export function explainHttpUrl(text: string): UrlProblem | null {
  if (text === '') return parsingProblem('input is empty');
  const trimmed = text.trim();
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(trimmed)?.[1]?.toLowerCase();
  if (scheme === undefined) return parsingProblem('relative URL without a base');
  if (scheme !== 'http' && scheme !== 'https') {
    return {
      message: "URL scheme should be 'http' or 'https'",
      params: { type: 'url_scheme', ctx: { expected_schemes: "'http' or 'https'" } },
    };
  }
  const isFine = URL.canParse(trimmed) && !EMPTY_INTERNATIONAL_LABEL.test(new URL(trimmed).hostname);
  return isFine ? null : parsingProblem(nameParsingError(trimmed));
}

/** Says that an international name follows, and none does; Node takes it since version 24. */
const EMPTY_INTERNATIONAL_LABEL = /(^|\.)xn--(\.|$)/;

type UrlProblem = { message: string; params: { type: string; ctx: Record<string, unknown> } };

function parsingProblem(error: string): UrlProblem {
  return {
    message: `Input should be a valid URL, ${error}`,
    params: { type: 'url_parsing', ctx: { error } },
  };
}

function nameParsingError(text: string): string {
  const authority = /^[a-z]+:[/\\]*([^/\\?#]*)/i.exec(text)?.[1] ?? '';
  const host = authority.slice(authority.lastIndexOf('@') + 1);
  if (host.startsWith('[')) return 'invalid IPv6 address';
  const [name = '', port] = host.split(':');
  if (name === '') return 'empty host';
  if (port !== undefined && (!/^\d*$/.test(port) || Number(port) > 65_535)) return 'invalid port number';
  return /^[\d.]+$/.test(name) ? 'invalid IPv4 address' : 'invalid international domain name';
}
