import type { Operation } from './operation.ts';
import * as account from './operations/account.ts';
import * as analyses from './operations/analyses.ts';
import * as apiKeys from './operations/api-keys.ts';
import * as assistants from './operations/assistants.ts';
import * as audit from './operations/audit.ts';
import * as authentication from './operations/authentication.ts';
import * as billing from './operations/billing.ts';
import * as collections from './operations/collections.ts';
import * as correctionsAndShares from './operations/corrections-and-shares.ts';
import * as keyBased from './operations/key-based.ts';
import * as library from './operations/library.ts';
import * as operational from './operations/operational.ts';
import * as storageObjects from './operations/storage-objects.ts';
import * as usage from './operations/usage.ts';
import * as webhooks from './operations/webhooks.ts';

/** All operations by domain, such as `operations.analyses.createAnalysis`. */
export const operations = {
  operational,
  analyses,
  library,
  correctionsAndShares,
  collections,
  account,
  authentication,
  apiKeys,
  audit,
  storageObjects,
  usage,
  billing,
  webhooks,
  keyBased,
  assistants,
};

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** All operations, ordered by domain, path and method, so that the document does not depend on the order of exports. */
export const allOperations: readonly Operation[] = Object.values(operations).flatMap((domain) =>
  Object.values<Operation>(domain).toSorted(
    (a, b) => compareText(a.path, b.path) || METHODS.indexOf(a.method) - METHODS.indexOf(b.method),
  ),
);

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
