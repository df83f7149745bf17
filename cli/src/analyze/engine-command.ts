/**
 * The argument by which `earshot` starts itself as an engine (engine-processes.ts); nobody types it. In a file of its own, because
 * engine-process.ts would load the engine at every start.
 */
export const ENGINE_COMMAND = 'engine';
