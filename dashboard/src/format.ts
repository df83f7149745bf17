export function formatClock(seconds: number): string {
  const whole = Math.round(seconds);
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  const rest = `:${String(whole % 60).padStart(2, '0')}`;
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}${rest}` : `${minutes}${rest}`;
}

/** With a true minus, and none before what is rounded to nothing. */
export function formatNumber(value: number, digits: number): string {
  const text = Math.abs(value).toFixed(digits);
  return value < 0 && Number(text) !== 0 ? `−${text}` : text;
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

/** Of a month such as 2026-11, which lies in no time zone. */
export function formatMonth(month: string): string {
  const names = { month: 'long', year: 'numeric', timeZone: 'UTC' } as const;
  return new Date(`${month}-01T00:00:00Z`).toLocaleDateString(undefined, names);
}

const MINUTE_MS = 60_000;

/** How long ago, as far as that says more than a date. */
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
  // Round sizes without a fraction.
  return `${Number(size.toFixed(unit === 'MB' ? 1 : 2))} ${unit}`;
}

/** `amount` is in the smallest unit of the currency; round sums are shown without it. */
export function formatMoney(amount: number, currency: string): string {
  const format = new Intl.NumberFormat(undefined, { style: 'currency', currency });
  const digits = format.resolvedOptions().maximumFractionDigits ?? 2;
  const units = amount / 10 ** digits;
  return Number.isInteger(units)
    ? units.toLocaleString(undefined, { style: 'currency', currency, maximumFractionDigits: 0 })
    : format.format(units);
}
