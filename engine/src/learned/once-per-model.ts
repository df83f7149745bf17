import type { ModelFile } from './model-file.ts';

/** Caches the result of `make` as long as the model lives, so that a process that analyses many songs packs its weights once. */
export function oncePerModel<Made>(make: (model: ModelFile) => Made): (model: ModelFile) => Made {
  const made = new WeakMap<ModelFile, Made>();
  return (model) => {
    if (!made.has(model)) made.set(model, make(model));
    return made.get(model)!;
  };
}
