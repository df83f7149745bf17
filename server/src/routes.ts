import { keyAnalysisRoutes } from './analyses/key-routes.ts';
import { workspaceAnalysisRoutes } from './analyses/workspace-routes.ts';
import { apiKeyRoutes } from './api-keys/routes.ts';
import { createOperationalRoutes } from './app/operational-routes.ts';
import { auditRoutes } from './audit/routes.ts';
import { planChangeRoutes } from './billing/plan-change-routes.ts';
import { billingRoutes } from './billing/routes.ts';
import { sandboxRoutes } from './billing/sandbox-routes.ts';
import { collectionRoutes } from './collections/routes.ts';
import { correctionRoutes } from './corrections/routes.ts';
import { demoRoutes } from './demo/routes.ts';
import type { Implementation } from './http/implement.ts';
import { libraryRoutes } from './library/routes.ts';
import { mcpRoutes } from './mcp/routes.ts';
import { shareRoutes } from './shares/routes.ts';
import { signInRoutes } from './sign-in/routes.ts';
import { storageObjectRoutes } from './storage-objects/routes.ts';
import { usageRoutes } from './usage/routes.ts';
import { webhookRoutes } from './webhooks/routes.ts';
import { workspaceRoutes } from './workspaces/routes.ts';

/** All routes of the service. buildApp throws when they do not match the operations of the contract. */
export function createRoutes(state: { isStopping: () => boolean }): Implementation[] {
  return [
    ...createOperationalRoutes(state),
    ...workspaceAnalysisRoutes,
    ...keyAnalysisRoutes,
    ...correctionRoutes,
    ...libraryRoutes,
    ...collectionRoutes,
    ...shareRoutes,
    ...demoRoutes,
    ...storageObjectRoutes,
    ...webhookRoutes,
    ...usageRoutes,
    ...billingRoutes,
    ...planChangeRoutes,
    ...sandboxRoutes,
    ...signInRoutes,
    ...workspaceRoutes,
    ...apiKeyRoutes,
    ...auditRoutes,
    ...mcpRoutes,
  ];
}
