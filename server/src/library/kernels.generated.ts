// Made by `npm run wasm` from server/wasm/assembly. Do not edit.
export const KERNELS_SOURCE_SHA256 = 'c8a599119a7cada54fb354148afed2642aefb9ba0c6a0b34b0ce127e9f98f3a9';
export const KERNELS_WASM_BASE64 =
  'AGFzbQEAAAABDQFgCX9/f39/f39/fwADAgEABQMBAAAHGAILY29tcGFyZVJvd3MAAAZtZW1vcnkCAArzAQHwAQIDewJ/IAVBAnQh' +
  'BSAGQQJ0IQ0DQCADIAxKBED9DAAAAAAAAAAAAAAAAAAAAAAhCf0MAAAAAAAAAAAAAAAAAAAAACEKIAUhBgNAIAYgDUkEQCAJIAIg' +
  'Bmr9AAQAIgsgACAGav0ABAD95gH95AEhCSAKIAsgC/3mASABIAZq/QAEAP3mAf3kASEKIAZBEGohBgwBCwsgByAJ/R8AIAn9HwGS' +
  'IAn9HwKSIAn9HwOSOAIAIAggCv0fACAK/R8BkiAK/R8CkiAK/R8DkjgCACAMQQFqIQwgAiAEQQJ0aiECIAdBBGohByAIQQRqIQgM' +
  'AQsLCw==';

/** Pointers are byte offsets into the instance's memory. The meaning of each kernel is in server/wasm/assembly. */
export type KernelFunctions = {
  compareRows(own: number, mask: number, rows: number, rowCount: number, stride: number, from: number, to: number, dots: number, squares: number): void;
};
