export function formatClock(seconds: number): string {
  const whole = Math.round(seconds);
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  const rest = `:${String(whole % 60).padStart(2, '0')}`;
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}${rest}` : `${minutes}${rest}`;
}

/** With U+2212 as its minus sign, and none before a value that rounds to zero. */
export function formatNumber(value: number, decimals: number): string {
  const text = Math.abs(value).toFixed(decimals);
  return value < 0 && Number(text) !== 0 ? `−${text}` : text;
}

/** With its unit; null when there is no value. */
export function formatQuantity(
  value: number | null | undefined,
  unit: string,
  decimals: number,
): string | null {
  return value === null || value === undefined ? null : `${formatNumber(value, decimals)} ${unit}`;
}

/** Always signed; ± before a value that rounds to zero. */
export function formatDifference(value: number, unit: string, decimals: number): string {
  const text = Math.abs(value).toFixed(decimals);
  const sign = Number(text) === 0 ? '±' : value > 0 ? '+' : '−';
  return `${sign}${text} ${unit}`;
}

export function formatPercent(fraction: number): string {
  return `${Math.round(fraction * 100)} %`;
}

export function formatSongCount(count: number): string {
  return count === 1 ? '1 song' : `${count.toLocaleString()} songs`;
}

export function formatMoment(timestamp: string): string {
  return new Date(timestamp).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });
}

export function formatDay(timestamp: string): string {
  return new Date(timestamp).toLocaleDateString(undefined, { dateStyle: 'medium' });
}

/** For a month such as 2026-11, which is the same in every time zone. */
export function formatMonth(month: string): string {
  const names = { month: 'long', year: 'numeric', timeZone: 'UTC' } as const;
  return new Date(`${month}-01T00:00:00Z`).toLocaleDateString(undefined, names);
}

const MINUTE_MS = 60_000;

/** Relative during the first day, then a date. */
export function formatAge(timestamp: string, nowMs: number = Date.now()): string {
  const minutes = Math.round((nowMs - Date.parse(timestamp)) / MINUTE_MS);
  if (minutes < 1) return 'just now';
  if (minutes < 60) return `${minutes} min ago`;
  if (minutes < 24 * 60) return `${Math.round(minutes / 60)} h ago`;
  return formatDay(timestamp);
}

export function formatBytes(bytes: number): string {
  if (bytes < 1_000_000) return `${Math.ceil(bytes / 1_000)} kB`;
  const [size, unit] = bytes < 1_000_000_000 ? [bytes / 1_000_000, 'MB'] : [bytes / 1_000_000_000, 'GB'];
  // Number drops trailing zeros.
  return `${Number(size.toFixed(unit === 'MB' ? 1 : 2))} ${unit}`;
}

/** Of an amount in the currency's smallest unit (cents); whole amounts are shown without decimals. */
export function formatMoney(amountMinor: number, currency: string): string {
  const format = new Intl.NumberFormat(undefined, { style: 'currency', currency });
  const units = amountMinor / 10 ** format.resolvedOptions().maximumFractionDigits!;
  return Number.isInteger(units)
    ? units.toLocaleString(undefined, { style: 'currency', currency, maximumFractionDigits: 0 })
    : format.format(units);
}
