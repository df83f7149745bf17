import { allOperations, buildOpenApiDocument, CONTRACT_VERSION } from '@earshot/contract';
import { once } from '../platform/once.ts';

/** Of all operations. Made when first asked for: a start should not wait for documents. */
export const openApiDocument = once(() => buildOpenApiDocument(allOperations, CONTRACT_VERSION));
