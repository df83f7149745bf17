export function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

export function asciiOf(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes);
}
