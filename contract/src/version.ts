import packageJson from '../package.json' with { type: 'json' };

/** The version of the contract and of the OpenAPI document. */
export const CONTRACT_VERSION = packageJson.version;
