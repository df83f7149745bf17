// The engine's wasm module. Each other file in this folder holds the kernels for one subject. To add a kernel, write it in such a file, re-export that
// here, write a TypeScript twin (x-twin.ts next to the caller x.ts), add a comparison of the two (src/test-…-comparisons.ts), and run `npm run wasm`.
export * from './memory';
export * from './fft';
export * from './spectrum';
export * from './resample';
export * from './samples';
export * from './loudness';
export * from './inspection';
export * from './hum';
export * from './fingerprint';
export * from './network';
export * from './fixed-point';
export * from './model';
export * from './tagger';
export * from './bar-pointer';
export * from './frames';
export * from './content';
export * from './bars';
export * from './pitch';
