/** Written into every result, since two versions may hear the same sound differently. A test holds it to package.json. */
export const ENGINE_VERSION = '0.1.0';
