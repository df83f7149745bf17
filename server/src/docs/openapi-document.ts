import { allOperations, buildOpenApiDocument, CONTRACT_VERSION } from '@earshot/contract';
import { once } from '../platform/once.ts';

/** Of all operations. Built on first use, so that the start of the service does not wait for it. */
export const openApiDocument = once(() => buildOpenApiDocument(allOperations, CONTRACT_VERSION));
