/** A virtual environment with pinned packages, kept between runs until the pins change. */
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Of Python 3, as in clients/python/pyproject.toml. */
export const CLIENT_MINOR_VERSION_MIN = 9;

/** A package index may fail once. */
const INSTALL_TRIES = 3;

/**
 * Prepares `folder/.venv` with the packages of `folder/requirements-test.txt`. Returns `{ missing }`, the reason, if Python is absent or
 * too old or the packages cannot be installed.
 */
export function openPython(folder, minorVersionMin) {
  const environment = join(folder, '.venv');
  const inside = join(environment, process.platform === 'win32' ? 'Scripts' : 'bin', 'python');
  const name = findPython(minorVersionMin);
  if (name === null)
    return { missing: `Python 3.${minorVersionMin} or newer with venv and pip is not installed` };
  if (!makeEnvironment(name, { folder, environment, inside })) {
    return { missing: 'its packages could not be installed; is the package index reachable?' };
  }
  /** Resolves to true if the module succeeded. Asynchronous, because this process may have to read the output of a service meanwhile. */
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

/** The command of a Python that is new enough and has venv and pip; null if there is none. */
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
