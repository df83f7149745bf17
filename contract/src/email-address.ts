/**
 * Why a text is not an e-mail address, in the wording of Python's email-validator, which is behind pydantic's EmailStr; null if it is one.
 * Stricter than email-validator: ASCII only and no display name, against forged mail headers and look-alikes, and no long part before the
 * @-sign. Looser in one point: domains such as `x.test` are accepted, because development machines sign in with them.
 */
export function explainEmailAddress(text: string): string | null {
  const address = text.trim();
  const at = address.indexOf('@');
  if (at < 0) return 'An email address must have an @-sign.';
  const local = address.slice(0, at);
  const domain = address.slice(at + 1);
  return explainLocalPart(local) ?? explainDomain(domain) ?? explainLength(address);
}

/** Lower-cases the domain. The part before the @ keeps its case for mail; accounts are looked up regardless of case. */
export function normaliseEmailAddress(text: string): string {
  const address = text.trim();
  const at = address.lastIndexOf('@');
  return address.slice(0, at + 1) + address.slice(at + 1).toLowerCase();
}

/** RFC 5321, 4.5.3.1: 64 before the @-sign. */
const LOCAL_CHARACTERS_MAX = 64;
/** RFC 5321, 4.5.3.1.3: 256 for a path, of which two are its angle brackets. */
const ADDRESS_CHARACTERS_MAX = 254;
/** RFC 1035, 2.3.4. */
const DOMAIN_LABEL_CHARACTERS_MAX = 63;

function explainLocalPart(local: string): string | null {
  if (local === '') return 'There must be something before the @-sign.';
  if (/^".*"$/.test(local)) return 'Quoting the part before the @-sign is not allowed here.';
  const invalid = listInvalidCharacters(local, /[A-Za-z0-9!#$%&'*+/=?^_`{|}~.-]/);
  if (invalid) return `The email address contains invalid characters before the @-sign: ${invalid}.`;
  if (local.length > LOCAL_CHARACTERS_MAX) {
    return `The email address is too long before the @-sign (${tooMany(local.length - LOCAL_CHARACTERS_MAX)}).`;
  }
  if (local.startsWith('.')) return 'An email address cannot start with a period.';
  if (local.endsWith('.')) return 'An email address cannot have a period immediately before the @-sign.';
  return local.includes('..') ? 'An email address cannot have two periods in a row.' : null;
}

function explainDomain(domain: string): string | null {
  if (domain === '') return 'There must be something after the @-sign.';
  if (domain.startsWith('[')) return 'A bracketed IP address after the @-sign is not allowed here.';
  const invalid = listInvalidCharacters(domain, /[A-Za-z0-9.-]/);
  if (invalid) return `The part after the @-sign contains invalid characters: ${invalid}.`;
  return explainDomainPunctuation(domain) ?? explainDomainLabels(domain);
}

function explainDomainPunctuation(domain: string): string | null {
  if (domain.endsWith('.')) return 'An email address cannot end with a period.';
  if (domain.endsWith('-')) return 'An email address cannot end with a hyphen.';
  if (domain.startsWith('.')) return 'An email address cannot have a period immediately after the @-sign.';
  if (domain.startsWith('-')) return 'An email address cannot have a hyphen immediately after the @-sign.';
  if (domain.includes('..')) return 'An email address cannot have two periods in a row.';
  return /\.-|-\./.test(domain)
    ? 'An email address cannot have a period and a hyphen next to each other.'
    : null;
}

function explainDomainLabels(domain: string): string | null {
  const labels = domain.split('.');
  const longest = Math.max(...labels.map((label) => label.length));
  if (longest > DOMAIN_LABEL_CHARACTERS_MAX) {
    return `After the @-sign, periods cannot be separated by so many characters (${tooMany(longest - DOMAIN_LABEL_CHARACTERS_MAX)}).`;
  }
  if (labels.length < 2) return 'The part after the @-sign is not valid. It should have a period.';
  return /[A-Za-z]$/.test(domain)
    ? null
    : 'The part after the @-sign is not valid. It is not within a valid top-level domain.';
}

function explainLength(address: string): string | null {
  const excessCharacters = address.length - ADDRESS_CHARACTERS_MAX;
  return excessCharacters > 0 ? `The email address is too long (${tooMany(excessCharacters)}).` : null;
}

function listInvalidCharacters(text: string, allowed: RegExp): string {
  const invalid = new Set([...text].filter((character) => !allowed.test(character)));
  return [...invalid].map(nameCharacter).sort().join(', ');
}

function nameCharacter(character: string): string {
  if (character === ' ') return 'SPACE';
  const codePoint = character.codePointAt(0) ?? 0;
  const printable = codePoint > 0x20 && codePoint < 0x7f;
  return printable ? `'${character}'` : `U+${codePoint.toString(16).toUpperCase().padStart(4, '0')}`;
}

function tooMany(excessCharacters: number): string {
  return excessCharacters === 1 ? '1 character too many' : `${excessCharacters} characters too many`;
}
