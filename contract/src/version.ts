import packageJson from '../package.json' with { type: 'json' };

/** Version of the contract, and so of the document written from it. */
export const CONTRACT_VERSION = packageJson.version;
