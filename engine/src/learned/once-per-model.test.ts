import { expect, it } from 'vitest';
import { readModelFile } from './model-file.ts';
import { oncePerModel } from './once-per-model.ts';
import { writeModelFile } from './test-model.ts';

it('makes one value for each model', () => {
  let made = 0;
  const number = oncePerModel(() => made++);
  const [first, second] = [0, 1].map(() => readModelFile(writeModelFile({}, {})));
  expect([first, second, first, second].map((model) => number(model!))).toEqual([0, 1, 0, 1]);
});
