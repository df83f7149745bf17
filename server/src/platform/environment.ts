import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

export type Environment = Readonly<Record<string, string | undefined>>;

/** Lists all problems at once, so that five mistakes do not take five starts to find. */
export class ConfigError extends Error {
  constructor(problems: readonly string[]) {
    super(
      `The configuration has ${problems.length === 1 ? 'a problem' : `${problems.length} problems`}:\n${problems.map((problem) => `  ${problem}`).join('\n')}`,
    );
    this.name = 'ConfigError';
  }
}

/** Typed reads. A missing or empty variable is null; a bad value is recorded as a problem and read as null, or left out of its list. */
export class EnvironmentReader {
  readonly #env: Environment;
  readonly #problems: string[] = [];

  constructor(env: Environment) {
    this.#env = env;
  }

  text(name: string, bounds: { lengthMin?: number } = {}): string | null {
    const value = this.#env[name]?.trim();
    if (value === undefined || value === '') return null;
    if (bounds.lengthMin !== undefined && value.length < bounds.lengthMin) {
      this.problem(name, `is too short: at least ${bounds.lengthMin} characters`);
      return null;
    }
    return value;
  }

  integer(name: string, bounds: Bounds): number | null {
    return this.#parse(name, (value) => parseInteger(value, bounds), integerIn(bounds));
  }

  integers(name: string, bounds: Bounds): number[] | null {
    return this.#list(name, (item) => parseInteger(item, bounds), integerIn(bounds));
  }

  flag(name: string): boolean | null {
    return this.#parse(name, parseFlag, 'true or false');
  }

  oneOf<T extends string>(name: string, choices: readonly T[]): T | null {
    return this.#parse(name, (value) => parseChoice(value, choices), `one of ${choices.join(', ')}`);
  }

  someOf<T extends string>(name: string, choices: readonly T[]): T[] | null {
    return this.#list(name, (item) => parseChoice(item, choices), `one of ${choices.join(', ')}`);
  }

  /** The message does not repeat the value, which may contain a password. */
  url(name: string, protocols: readonly string[]): string | null {
    const value = this.text(name);
    if (value === null) return null;
    if (URL.canParse(value) && protocols.includes(new URL(value).protocol)) return value;
    const beginnings = protocols.map((protocol) => `${protocol}//`).join(' or ');
    this.problem(name, `is not an address that begins with ${beginnings}`);
    return null;
  }

  /** A single address becomes a range of one. */
  cidrs(name: string): string[] | null {
    return this.#list(name, parseCidr, 'an address range like 10.0.0.0/8 or ::1/128');
  }

  /** Web origins as browsers serialize them, or `*`. */
  origins(name: string): string[] | null {
    return this.#list(name, parseOrigin, 'an origin like https://app.example.com');
  }

  /** DNS servers, by IP address with an optional port. */
  servers(name: string): string[] | null {
    return this.#list(name, parseServer, 'a server like 9.9.9.9, 10.0.0.2:53 or [2620:fe::fe]:53');
  }

  problem(name: string, sentence: string): void {
    this.#problems.push(`${name} ${sentence}`);
  }

  throwIfAny(): void {
    if (this.#problems.length > 0) throw new ConfigError(this.#problems);
  }

  #parse<T>(name: string, parse: (value: string) => T | null, expected: string): T | null {
    const value = this.text(name);
    const parsed = value === null ? null : parse(value);
    if (value !== null && parsed === null) this.problem(name, `is ${JSON.stringify(value)}, not ${expected}`);
    return parsed;
  }

  /** Comma-separated. */
  #list<T>(name: string, parse: (item: string) => T | null, expected: string): T[] | null {
    const items = this.text(name)
      ?.split(',')
      .map((item) => item.trim())
      .filter((item) => item !== '');
    if (items === undefined) return null;
    const parsed = items.map(parse);
    for (const [index, item] of items.entries())
      if (parsed[index] === null) this.problem(name, `contains ${JSON.stringify(item)}, not ${expected}`);
    return parsed.filter((item) => item !== null);
  }
}

type Bounds = { min: number; max: number };

const integerIn = ({ min, max }: Bounds) => `a whole number from ${min} to ${max}`;

/** At most 15 digits, which a number holds exactly. */
function parseInteger(text: string, { min, max }: Bounds): number | null {
  const number = /^[0-9]{1,15}$/.test(text) ? Number(text) : Number.NaN;
  return number >= min && number <= max ? number : null;
}

function parseFlag(text: string): boolean | null {
  const word = text.toLowerCase();
  if (['true', '1', 'yes', 'on'].includes(word)) return true;
  return ['false', '0', 'no', 'off'].includes(word) ? false : null;
}

function parseChoice<T extends string>(text: string, choices: readonly T[]): T | null {
  return choices.find((choice) => choice === text) ?? null;
}

function parseCidr(text: string): string | null {
  const range = text.includes('/') ? text : `${text}/${text.includes(':') ? 128 : 32}`;
  return ipaddr.isValidCIDR(range) ? range : null;
}

function parseOrigin(text: string): string | null {
  return text === '*' || (URL.canParse(text) && new URL(text).origin === text) ? text : null;
}

function parseServer(text: string): string | null {
  const [, bracketed, plain, port] = /^(?:\[([^\]]+)\]|([^:]+))(?::([0-9]{1,5}))?$/.exec(text) ?? [];
  const isPort = port === undefined || (Number(port) > 0 && Number(port) <= 65_535);
  return isIP(bracketed ?? plain ?? text) !== 0 && isPort ? text : null;
}
