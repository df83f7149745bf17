import type { ModelFile } from './model-file.ts';

/** What `make` makes of a model, made once and kept as long as the model is: a process that hears many songs packs its weights once. */
export function madeOfModel<Made>(make: (model: ModelFile) => Made): (model: ModelFile) => Made {
  const made = new WeakMap<ModelFile, Made>();
  return (model) => {
    let thing = made.get(model);
    if (thing === undefined) {
      thing = make(model);
      made.set(model, thing);
    }
    return thing;
  };
}
