import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';

/** More would fill the context of an assistant. */
const CHARACTERS_MAX = 200_000;

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

export function refuseTooLong(noun: string, characterCount: number, instead: string): void {
  if (characterCount > CHARACTERS_MAX)
    throw new Error(
      `This ${noun} has ${characterCount} characters, too many to read here; ${instead} instead.`,
    );
}
