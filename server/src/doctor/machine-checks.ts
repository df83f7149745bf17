import { mkdir, mkdtemp, rm, statfs, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import rootPackage from '../../../package.json' with { type: 'json' };
import { type Check, failed, ok, warning } from './check.ts';

/** Room for the uploads of a few hundred songs and their database. */
const DISK_BYTES_WARNING = 5e9;
/** The write-ahead log of PostgreSQL alone grows to a gigabyte under load (max_wal_size). */
const DISK_BYTES_MIN = 1e9;

export function checkNode(version: string = process.versions.node): Check {
  return {
    name: 'Node.js',
    async run() {
      const wanted = rootPackage.engines.node.replace('>=', '');
      return isAtLeast(version, wanted) ? ok(version) : failed(`${version}; ${wanted} or newer is needed`);
    },
  };
}

function isAtLeast(version: string, wanted: string): boolean {
  const [have, need] = [version, wanted].map((text) => text.split('.').map(Number)) as [number[], number[]];
  for (const [index, part] of need.entries()) {
    if ((have[index] ?? 0) !== part) return (have[index] ?? 0) > part;
  }
  return true;
}

export function checkDataFolder(dataDir: string, write: typeof writeFile = writeFile): Check {
  return {
    name: 'data folder',
    async run() {
      await mkdir(dataDir, { recursive: true });
      const folder = await mkdtemp(join(dataDir, '.doctor-'));
      try {
        await write(join(folder, 'file'), 'x');
      } finally {
        await rm(folder, { recursive: true });
      }
      return ok(`${dataDir} can be written to`);
    },
  };
}

export function checkDisk(dataDir: string, readFreeBytes = freeBytesAt): Check {
  return {
    name: 'free disk',
    async run() {
      const freeBytes = await readFreeBytes(dataDir);
      // Rounded down, so that it is never above a limit that it falls short of.
      const text = `${(Math.floor(freeBytes / 1e8) / 10).toFixed(1)} GB`;
      if (freeBytes < DISK_BYTES_MIN)
        return failed(`${text}; at least ${DISK_BYTES_MIN / 1e9} GB are needed`);
      return freeBytes < DISK_BYTES_WARNING ? warning(`${text} will not last long`) : ok(text);
    },
  };
}

async function freeBytesAt(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

export function checkPort(host: string, port: number): Check {
  return {
    name: 'port',
    async run() {
      const server = createServer();
      try {
        await new Promise<void>((resolve, reject) => {
          server.once('error', reject);
          server.listen(port, host, resolve);
        });
        return ok(`${port} is free`);
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        return code === 'EADDRINUSE'
          ? warning(`${port} is taken; by Earshot itself, if it runs`)
          : failed(`${host}:${port} cannot be listened on (${code})`);
      } finally {
        server.close();
      }
    },
  };
}
