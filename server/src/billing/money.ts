/** `amount` is in the smallest unit of the currency, as payment providers count. */
export type Money = { amount: number; currency: string };

export function formatMoney(amount: number, currency: string): string {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency });
  const digits = format.resolvedOptions().maximumFractionDigits ?? 2;
  return format.format(amount / 10 ** digits);
}
