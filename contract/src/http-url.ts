/**
 * Why a text is not an http(s) URL, in the wording of pydantic's HttpUrl; null if it is one. Only the syntax is checked here: the guarded
 * client checks at every use whether we may call the address.
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
  const isValid = URL.canParse(trimmed) && !EMPTY_INTERNATIONAL_LABEL.test(new URL(trimmed).hostname);
  return isValid ? null : parsingProblem(nameParsingError(trimmed));
}

/** The prefix of an internationalised label with nothing after it, which Node accepts since version 24. */
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
  const place = authority.slice(authority.lastIndexOf('@') + 1);
  const [host] = /^\[[^\]]*\][^:]*|^[^:]*/.exec(place)!;
  if (host === '') return 'empty host';
  if (isHost(host)) return 'invalid port number';
  if (host.startsWith('[')) return 'invalid IPv6 address';
  // A host whose last label is a number is parsed as an IPv4 address (WHATWG URL, ends-in-a-number checker).
  return /(^|\.)(\d+|0x[0-9a-f]*)\.?$/i.test(host)
    ? 'invalid IPv4 address'
    : 'invalid international domain name';
}

function isHost(text: string): boolean {
  const address = `http://${text}/`;
  return URL.canParse(address) && !EMPTY_INTERNATIONAL_LABEL.test(new URL(address).hostname);
}
