import type { Operation } from './operation.ts';
import * as account from './operations/account.ts';
import * as analyses from './operations/analyses.ts';
import * as authentication from './operations/authentication.ts';
import * as billing from './operations/billing.ts';
import * as keyBased from './operations/key-based.ts';
import * as operational from './operations/operational.ts';
import * as webhooks from './operations/webhooks.ts';
import * as workspaceResources from './operations/workspace-resources.ts';

/** Every route there is, by domain: `operations.analyses.createAnalysis`. */
export const operations = {
  operational,
  analyses,
  account,
  authentication,
  workspaceResources,
  billing,
  webhooks,
  keyBased,
};

/** The same, as one list in the order of the document. */
export const allOperations: readonly Operation[] = Object.values(operations).flatMap((domain) =>
  Object.values(domain),
);
