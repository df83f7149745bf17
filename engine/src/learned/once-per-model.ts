import type { ModelFile } from './model-file.ts';

/** Calls `make` once for each model and keeps the answer as long as the model: a process that analyses many songs packs its weights once. */
export function oncePerModel<Made>(make: (model: ModelFile) => Made): (model: ModelFile) => Made {
  const made = new WeakMap<ModelFile, { answer: Made }>();
  return (model) => {
    const known = made.get(model) ?? { answer: make(model) };
    made.set(model, known);
    return known.answer;
  };
}
