import { allOperations, buildOpenApiDocument, CONTRACT_VERSION } from '@earshot/contract';
import { once } from '../platform/once.ts';

/** Built on first use, so that startup does not wait for it. */
export const openApiDocument = once(() => buildOpenApiDocument(allOperations, CONTRACT_VERSION));
