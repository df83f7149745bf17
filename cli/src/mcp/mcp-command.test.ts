import { expect, it } from 'vitest';
import { runMcp } from './mcp-command.ts';

it('refuses --service without --remote, which would ignore it', async () => {
  await expect(runMcp(['--service', 'https://earshot.example'])).rejects.toThrow(
    '--service goes with --remote',
  );
});
