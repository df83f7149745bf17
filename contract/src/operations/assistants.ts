import { z } from 'zod';
import { defineOperation } from '../operation.ts';

const JsonRpcMessage = z
  .looseObject({
    jsonrpc: z.literal('2.0'),
    id: z.union([z.string(), z.number()]).optional().meta({ description: 'Absent in a notification' }),
    method: z.string().max(200).optional().meta({ description: 'Absent in a response' }),
    params: z.looseObject({}).optional(),
  })
  .meta({
    id: 'JsonRpcMessage',
    examples: [{ jsonrpc: '2.0', id: 1, method: 'tools/list' }],
  });

const JsonRpcAnswer = z
  .looseObject({ jsonrpc: z.literal('2.0'), id: z.union([z.string(), z.number()]).nullable() })
  .meta({ id: 'JsonRpcAnswer' });

export const callMcp = defineOperation({
  id: 'callMcp',
  method: 'POST',
  path: '/mcp',
  summary: 'Model Context Protocol: tools for AI assistants',
  description:
    'Streamable HTTP without sessions: every message is independent. Each tool calls operations of this document with the caller’s own credentials, so the same scopes, roles and limits apply. The response is a stream if the client accepts one and requests progress.',
  tag: 'Assistants',
  surface: 'workspace',
  policy: { access: 'workspace', scope: 'analyses:read', role: 'viewer' },
  body: JsonRpcMessage,
  responses: {
    200: { description: 'The response', schema: JsonRpcAnswer, otherContentTypes: ['text/event-stream'] },
    202: { description: 'A notification or a response was accepted', schema: null },
  },
});
