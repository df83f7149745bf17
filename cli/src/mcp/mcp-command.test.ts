import { expect, it } from 'vitest';
import { runMcp } from './mcp-command.ts';

it('refuses a service that it would not ask', async () => {
  await expect(runMcp(['--service', 'https://earshot.example'])).rejects.toThrow(
    '--service goes with --remote',
  );
});
