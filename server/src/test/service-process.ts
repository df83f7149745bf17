import { startProgram, type TestProgram } from './child-process.ts';

/** `banner`: the lines printed up to and including the one that reports readiness. */
export type WorkerProcess = TestProgram & { banner: string[] };
export type ServiceProcess = WorkerProcess & { url: string };

/** Starts the service as a process on a free port; resolves once it listens. */
export async function startServiceProcess(
  role: string,
  env: Record<string, string>,
): Promise<ServiceProcess> {
  const { match, ...started } = await startRole(role, env, /listens on (\S+)/);
  return { ...started, url: match[1]! };
}

/** Starts only a worker, which has no port for requests. */
export async function startWorkerProcess(env: Record<string, string>): Promise<WorkerProcess> {
  const { match: _, ...started } = await startRole('work', env, /works on the jobs/);
  return started;
}

async function startRole(role: string, env: Record<string, string>, ready: RegExp) {
  const program = startProgram('earshot.js', [role], {
    env: {
      PORT: '0',
      HOST: '127.0.0.1',
      LOG_LEVEL: 'error',
      // A slow test machine must not make the service shed requests; load shedding has its own tests.
      SHED_LOOP_DELAY_MS: '60000',
      SHED_POOL_WAIT_MS: '60000',
      ...env,
    },
  });
  const banner: string[] = [];
  for (;;) {
    const line = await program.nextLine();
    banner.push(line);
    const match = ready.exec(line);
    if (match) return { ...program, banner, match };
  }
}
