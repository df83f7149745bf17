import type { ModelFile } from './model-file.ts';

/** `make`, but once for each model, whose answer is kept as long as the model is: a process that hears many songs packs its weights once. */
export function oncePerModel<Made>(make: (model: ModelFile) => Made): (model: ModelFile) => Made {
  const made = new WeakMap<ModelFile, { answer: Made }>();
  return (model) => {
    const known = made.get(model) ?? { answer: make(model) };
    made.set(model, known);
    return known.answer;
  };
}
