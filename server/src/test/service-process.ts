import { startProgram, type TestProgram } from './child-process.ts';

export type ServiceProcess = TestProgram & { url: string; banner: string[] };

/** The real service as a process of its own, on a free port; resolves when it has said where it listens. */
export async function startServiceProcess(
  role: string,
  env: Record<string, string>,
): Promise<ServiceProcess> {
  const program = startProgram('earshot.js', [role], {
    env: {
      PORT: '0',
      HOST: '127.0.0.1',
      LOG_LEVEL: 'error',
      // A test machine whose host takes its processors away is no reason to refuse; overload has tests of its own.
      SHED_LOOP_DELAY_MS: '60000',
      SHED_POOL_WAIT_MS: '60000',
      ...env,
    },
  });
  const banner: string[] = [];
  for (;;) {
    const line = await program.nextLine();
    banner.push(line);
    const url = /listens on (\S+)/.exec(line)?.[1];
    if (url !== undefined) return { ...program, url, banner };
    if (/works on the jobs/.test(line)) return { ...program, url: '', banner };
  }
}
