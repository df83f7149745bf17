import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { operations } from '@earshot/contract';
import { createInProcessBackend, createMcpServer } from '@earshot/mcp';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import { AppError } from '../errors.ts';
import { type Implementation, type InputOf, implement, type Raw } from '../http/implement.ts';
import { onceClosed } from '../http/once-closed.ts';
import { createInProcessFetch } from './in-process-fetch.ts';

const { callMcp } = operations.assistants;
type Message = InputOf<typeof callMcp>['body'];

/** The SDK's transport refuses a request that does not accept both. wantsStream decides which of them is sent. */
const ACCEPT = 'application/json, text/event-stream';

export const mcpRoutes: Implementation[] = [
  implement(callMcp, async (_ctx, { body }, raw) => {
    const server = createMcpServer(createInProcessBackend(createInProcessFetch(raw.request)));
    const isStream = wantsStream(body, raw);
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: !isStream });
    await server.connect(transport);
    onceClosed(raw.reply.raw, () => void server.close());
    const response = await transport.handleRequest(toWebRequest(raw), { parsedBody: body });
    if (response.status === 202) return { status: 202 as const, body: null };
    if (response.ok && isStream && response.body) {
      const headers = { 'Content-Type': 'text/event-stream', 'X-Accel-Buffering': 'no' };
      return { status: 200 as const, body: Readable.fromWeb(response.body as ReadableStream), headers };
    }
    const answer = (await response.json()) as { jsonrpc: '2.0'; id: string | number | null };
    if (!response.ok) throw new AppError('bad_request', messageOf(answer));
    return { status: 200 as const, body: answer };
  }),
];

/** Only a call that requests progress notifications is streamed. */
function wantsStream(message: Message, { request }: Raw): boolean {
  const meta = message.params?._meta as { progressToken?: unknown } | undefined;
  return (
    meta?.progressToken !== undefined && (request.headers.accept?.includes('text/event-stream') ?? false)
  );
}

function toWebRequest({ request }: Raw): Request {
  const version = request.headers['mcp-protocol-version'];
  return new Request('http://service.invalid/mcp', {
    method: 'POST',
    headers: {
      accept: ACCEPT,
      'content-type': 'application/json',
      ...(typeof version === 'string' ? { 'mcp-protocol-version': version } : {}),
    },
  });
}

function messageOf(answer: unknown): string {
  const { error } = answer as { error?: { message?: string } };
  return `The message is not one of the protocol: ${error?.message ?? 'unknown'}.`;
}
