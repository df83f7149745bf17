import { allOperations } from '@earshot/contract';
import { expect, it } from 'vitest';
import { matchRoutes } from './route-table.ts';

it.each([
  ['/v1/analyses', ['GET', 'POST']],
  ['/v1/analyses?limit=1', ['GET', 'POST']],
  ['/v1/analyses/bulk', ['POST']],
  ['/v1/analyses/job_1', ['DELETE', 'GET', 'PATCH']],
  ['/openapi.json', ['GET']],
  ['/openapiXjson', []],
  ['/v1/analyses/', []],
])('%s takes %j', (url, methods) => {
  expect(matchRoutes(allOperations, url).toSorted()).toEqual(methods);
});
