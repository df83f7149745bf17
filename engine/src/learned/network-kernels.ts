import type { KernelExports } from '../signal/kernels.ts';

/** The part of the kernels that networks use; `createKernels()` provides it, and so does their twin (layers-twin.ts). */
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
