/** Hands bytes to the person as a file, as a link to it would. */
export function saveFile(bytes: Uint8Array, name: string): void {
  const url = URL.createObjectURL(new Blob([new Uint8Array(bytes)]));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser has begun to read it by then; without this it stays in memory as long as the page.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
