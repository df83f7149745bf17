import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';

/** The outcome of `work` as a tool result. A failure is one too: the assistant reads the reason and can act on it. */
export async function answer(work: () => Promise<Record<string, unknown>>): Promise<CallToolResult> {
  try {
    const structuredContent = await work();
    // As text too, for clients that do not read structured content.
    return { content: [{ type: 'text', text: JSON.stringify(structuredContent) }], structuredContent };
  } catch (error) {
    return { isError: true, content: [{ type: 'text', text: (error as Error).message }] };
  }
}
