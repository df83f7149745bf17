/** The names of the kernels by their function index in the module, which is all that profilers show. */

import { KERNELS_WASM_BASE64 } from './kernels.generated.ts';

const EXPORT_SECTION = 7;
const KIND_FUNCTION = 0;

/** Reads the export section (WebAssembly Core Specification, 5.5). */
export function listKernelNames(): Map<number, string> {
  const bytes = Uint8Array.from(atob(KERNELS_WASM_BASE64), (char) => char.charCodeAt(0));
  const names = new Map<number, string>();
  // After the magic number and the version.
  let at = 8;
  const readNumber = (): number => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[at++]!;
      value |= (byte & 127) << shift;
      if (byte < 128) return value;
    }
  };
  while (at < bytes.length) {
    const section = bytes[at++]!;
    const length = readNumber();
    const end = at + length;
    if (section === EXPORT_SECTION) {
      for (let left = readNumber(); left > 0; left--) {
        const nameLength = readNumber();
        const name = new TextDecoder().decode(bytes.subarray(at, at + nameLength));
        at += nameLength;
        const kind = bytes[at++]!;
        const index = readNumber();
        if (kind === KIND_FUNCTION) names.set(index, name);
      }
    }
    at = end;
  }
  return names;
}
