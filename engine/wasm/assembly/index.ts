// The one wasm module of the engine. Every file beside this one holds the kernels of one idea; to add a kernel,
// write `assembly/<idea>.ts`, re-export it here, write its TypeScript twin beside the code that calls it, test one against the
// other, and run `npm run wasm`.
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
