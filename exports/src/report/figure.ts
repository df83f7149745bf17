/** With a true minus, as in the dashboard, and none before what is rounded to nothing. */
export function formatFigure(value: number, decimals: number): string {
  const text = Math.abs(value).toFixed(decimals);
  return value < 0 && Number(text) !== 0 ? `−${text}` : text;
}
