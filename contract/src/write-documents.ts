import { readdir, readFile, writeFile } from 'node:fs/promises';
import { writeOperationTable } from './client-types/operation-table.ts';
import { readTypeImports, writePythonTypes } from './client-types/python.ts';
import type { Document } from './client-types/schema.ts';
import { writeTypeScriptTypes } from './client-types/typescript.ts';
import { buildErrorPage } from './error-page.ts';
import { buildOpenApiDocument } from './openapi/document.ts';
import { allOperations } from './operations.ts';
import { CONTRACT_VERSION } from './version.ts';
import { buildWebhookPage } from './webhook-page.ts';

/** `npm run openapi`: writes the committed documents and the clients' types. Tests fail if they are out of date. */
const text = `${JSON.stringify(buildOpenApiDocument(allOperations, CONTRACT_VERSION), null, 2)}\n`;
const document = JSON.parse(text) as Document;
await writeFile('contract/openapi.json', text);
await writeFile('docs/errors.md', buildErrorPage());
await writeFile('docs/webhook-events.md', buildWebhookPage());
await writeFile('sdk/src/wire-types.generated.ts', writeTypeScriptTypes(document));
await writeFile('sdk/src/operation-table.generated.ts', writeOperationTable(allOperations));
const python = 'clients/python/src/earshot';
const files = (await readdir(python)).filter((name) => name.endsWith('.py'));
const sources = await Promise.all(files.map((name) => readFile(`${python}/${name}`, 'utf8')));
await writeFile(`${python}/_types.py`, writePythonTypes(document, sources.flatMap(readTypeImports)));
