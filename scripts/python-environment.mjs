/** A virtual environment with pinned packages, kept between runs for as long as they stay the same. */
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const INSTALL_TRIES = 3;

/**
 * Runs Python inside `folder/.venv`, which holds what `folder/requirements-test.txt` asks for. A machine without a Python that is new
 * enough, or that cannot reach its package index, gets the reason instead.
 */
export function openPython(folder, minorVersionMin) {
  const environment = join(folder, '.venv');
  const inside = join(environment, process.platform === 'win32' ? 'Scripts' : 'bin', 'python');
  const name = findPython(minorVersionMin);
  if (name === null)
    return { missing: `there is no Python 3.${minorVersionMin} or newer with venv and pip here` };
  if (!makeEnvironment(name, { folder, environment, inside })) {
    return { missing: 'its packages could not be installed; is the package index reachable?' };
  }
  /** True when the module ended well. This process goes on meanwhile: it may be the one that takes a service's output. */
  const run = async (module, args, env = {}) => {
    const child = spawn(inside, ['-m', module, ...args], {
      cwd: folder,
      stdio: 'inherit',
      env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1', ...env },
    });
    const [status] = await once(child, 'exit');
    return status === 0;
  };
  return { environment, run };
}

/** The name of a Python that is new enough and has venv and pip; null where there is none. */
export function findPython(minorVersionMin) {
  const probe = `import sys, venv, ensurepip; sys.exit(0 if sys.version_info >= (3, ${minorVersionMin}) else 1)`;
  const works = (name) => spawnSync(name, ['-c', probe], { stdio: 'ignore' }).status === 0;
  return ['python3', 'python'].find(works) ?? null;
}

function makeEnvironment(name, { folder, environment, inside }) {
  const requirements = join(folder, 'requirements-test.txt');
  const version = spawnSync(name, ['--version'], { encoding: 'utf8' }).stdout;
  const wanted = createHash('sha256').update(readFileSync(requirements)).update(version).digest('hex');
  const mark = join(environment, 'requirements.sha256');
  if (existsSync(mark) && readFileSync(mark, 'utf8') === wanted) return true;
  rmSync(environment, { recursive: true, force: true });
  if (spawnSync(name, ['-m', 'venv', environment], { stdio: 'inherit' }).status !== 0) return false;
  const install = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '-r', requirements];
  for (let tries = 0; tries < INSTALL_TRIES; tries++) {
    if (spawnSync(inside, install, { stdio: 'inherit' }).status !== 0) continue;
    writeFileSync(mark, wanted);
    return true;
  }
  return false;
}
