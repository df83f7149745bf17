/** Written into every result, because versions may hear the same sound differently. A test compares it with package.json. */
export const ENGINE_VERSION = '0.1.0';
