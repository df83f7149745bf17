import { z } from 'zod';
import { defineOperation, json } from '../operation.ts';
import { KeyUsage, Usage } from '../resources/billing.ts';

export const getUsage = defineOperation({
  id: 'getUsage',
  method: 'GET',
  path: '/v1/usage',
  summary: 'Read the usage of the current month',
  description: 'With the header `X-API-Key` the response is `KeyUsage`, otherwise `Usage`.',
  tag: 'Usage',
  surface: 'both',
  policy: { access: 'workspace', scope: 'usage:read', role: 'viewer' },
  responses: { 200: json('Usage', z.union([Usage, KeyUsage])) },
});
