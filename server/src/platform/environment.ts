import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

export type Environment = Readonly<Record<string, string | undefined>>;

/** Lists all problems at once, so that nobody has to start five times to find five mistakes. */
export class ConfigError extends Error {
  constructor(problems: readonly string[]) {
    super(
      `The configuration has ${problems.length === 1 ? 'a problem' : `${problems.length} problems`}:\n${problems.map((problem) => `  ${problem}`).join('\n')}`,
    );
    this.name = 'ConfigError';
  }
}

/** Typed reads of one environment. A missing or empty variable is null; a bad value is recorded as a problem and also read as null. */
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

  integer(name: string, bounds: { min: number; max: number }): number | null {
    const value = this.text(name);
    return value === null ? null : this.#integerIn(name, value, bounds);
  }

  integers(name: string, bounds: { min: number; max: number }): number[] | null {
    const items = this.#items(name);
    if (items === null) return null;
    return items.map((item) => this.#integerIn(name, item, bounds)).filter((item) => item !== null);
  }

  flag(name: string): boolean | null {
    const value = this.text(name)?.toLowerCase();
    if (value === undefined) return null;
    if (['true', '1', 'yes', 'on'].includes(value)) return true;
    if (['false', '0', 'no', 'off'].includes(value)) return false;
    this.problem(name, `is ${JSON.stringify(value)}; say true or false`);
    return null;
  }

  oneOf<T extends string>(name: string, choices: readonly T[]): T | null {
    const value = this.text(name);
    if (value === null) return null;
    const choice = choices.find((candidate) => candidate === value);
    if (choice === undefined) this.problem(name, `is ${JSON.stringify(value)}; one of ${choices.join(', ')}`);
    return choice ?? null;
  }

  someOf<T extends string>(name: string, choices: readonly T[]): T[] | null {
    const items = this.#items(name);
    if (items === null) return null;
    return items.flatMap((item) => {
      const choice = choices.find((candidate) => candidate === item);
      if (choice === undefined)
        this.problem(name, `holds ${JSON.stringify(item)}; what it may hold is ${choices.join(', ')}`);
      return choice ?? [];
    });
  }

  /** The message never repeats the value, which may contain a password. */
  url(name: string, protocols: readonly string[]): string | null {
    const value = this.text(name);
    if (value === null) return null;
    if (URL.canParse(value) && protocols.includes(new URL(value).protocol)) return value;
    this.problem(
      name,
      `is not an address that begins with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`,
    );
    return null;
  }

  /** A single address becomes a range of one. */
  cidrs(name: string): string[] | null {
    const ranges = this.#items(name);
    if (ranges === null) return null;
    return ranges.flatMap((item) => {
      const range = item.includes('/') ? item : `${item}/${item.includes(':') ? 128 : 32}`;
      if (ipaddr.isValidCIDR(range)) return [range];
      this.problem(
        name,
        `holds ${JSON.stringify(item)}, which is no address range like 10.0.0.0/8 or ::1/128`,
      );
      return [];
    });
  }

  /** Origins of pages, as browsers name them; or `*`. */
  origins(name: string): string[] | null {
    const items = this.#items(name);
    if (items === null) return null;
    return items.filter((item) => {
      const isOrigin = item === '*' || (URL.canParse(item) && new URL(item).origin === item);
      if (!isOrigin)
        this.problem(name, `holds ${JSON.stringify(item)}, which is no origin like https://app.example.com`);
      return isOrigin;
    });
  }

  /** DNS servers, by IP address with an optional port. */
  servers(name: string): string[] | null {
    const items = this.#items(name);
    if (items === null) return null;
    return items.filter((item) => {
      const [, bracketed, plain, port] = /^(?:\[([^\]]+)\]|([^:]+))(?::([0-9]{1,5}))?$/.exec(item) ?? [];
      const host = bracketed ?? plain ?? item;
      const isServer =
        isIP(host) !== 0 && (port === undefined || (Number(port) > 0 && Number(port) <= 65_535));
      if (!isServer)
        this.problem(
          name,
          `holds ${JSON.stringify(item)}, which is no server like 9.9.9.9, 10.0.0.2:53 or [2620:fe::fe]:53`,
        );
      return isServer;
    });
  }

  /** Records a problem, for throwIfAny to throw. */
  problem(name: string, sentence: string): void {
    this.#problems.push(`${name} ${sentence}`);
  }

  throwIfAny(): void {
    if (this.#problems.length > 0) throw new ConfigError(this.#problems);
  }

  #items(name: string): string[] | null {
    const value = this.text(name);
    if (value === null) return null;
    return value
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== '');
  }

  #integerIn(name: string, value: string, { min, max }: { min: number; max: number }): number | null {
    const number = /^[0-9]{1,15}$/.test(value) ? Number(value) : Number.NaN;
    if (number >= min && number <= max) return number;
    this.problem(name, `is ${JSON.stringify(value)}; a whole number from ${min} to ${max}`);
    return null;
  }
}
