import type { KernelExports } from '../signal/kernels.ts';

/** The kernels that networks use, provided by `createKernels()` and by their TypeScript twin (layers-twin.ts). */
export type NetworkKernels = {
  exports: Pick<
    KernelExports,
    | 'markMemory'
    | 'releaseMemory'
    | 'packTaps'
    | 'packFixed'
    | 'convolveTaps'
    | 'toFixedPoint'
    | 'convolveFixed'
    | 'applyElu'
    | 'poolThreeAndElu'
    | 'poolTwoAndElu'
    | 'addInto'
    | 'takeLogarithms'
    | 'convolveLargest'
    | 'rectifyRows'
    | 'rectifyOnto'
    | 'poolRows'
    | 'turnRows'
    | 'averageRows'
  >;
  allocateFloats(count: number): { readonly pointer: number; readonly view: Float32Array };
  copyFloats(values: ArrayLike<number>): { readonly pointer: number; readonly view: Float32Array };
};
