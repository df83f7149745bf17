/**
 * The internal argument with which `earshot` starts itself as an engine process (engine-processes.ts). In a separate file, because
 * importing it from engine-process.ts would load the engine at every start.
 */
export const ENGINE_COMMAND = 'engine';
