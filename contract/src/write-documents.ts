import { writeFile } from 'node:fs/promises';
import { buildErrorPage } from './error-page.ts';
import { buildOpenApiDocument } from './openapi/document.ts';
import { allOperations } from './operations.ts';
import { CONTRACT_VERSION } from './version.ts';

/** `npm run openapi`: writes the checked-in documents anew. Tests fail while they differ from the code. */
const document = buildOpenApiDocument(allOperations, CONTRACT_VERSION);
await writeFile('contract/openapi.json', `${JSON.stringify(document, null, 2)}\n`);
await writeFile('docs/errors.md', buildErrorPage());
