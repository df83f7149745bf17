/** Written into every result: an old result never changes under a client. A test holds it to package.json. */
export const ENGINE_VERSION = '0.1.0';
