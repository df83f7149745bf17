import { z } from 'zod';
import { defineOperation } from '../operation.ts';

const JsonRpcMessage = z
  .looseObject({
    jsonrpc: z.literal('2.0'),
    id: z.union([z.string(), z.number()]).optional().meta({ description: 'Absent in a notification' }),
    method: z.string().max(200).optional().meta({ description: 'Absent in an answer' }),
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
  summary: 'Model Context Protocol: the tools of an assistant',
  description:
    'Streamable HTTP without sessions: every message stands for itself. Each tool calls the operations of this document with the caller’s own credentials, so their scopes, roles and limits hold here too. The answer is a stream when the client accepts one and asks for progress.',
  tag: 'Assistants',
  surface: 'workspace',
  policy: { access: 'workspace', scope: 'analyses:read', role: 'viewer' },
  body: JsonRpcMessage,
  responses: {
    200: { description: 'The answer', schema: JsonRpcAnswer, otherContentTypes: ['text/event-stream'] },
    202: { description: 'A notification was taken', schema: null },
  },
});
