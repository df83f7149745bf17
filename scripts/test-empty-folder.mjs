/** An empty folder outside the repository, and what tests do in it. */
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const repository = fileURLToPath(new URL('..', import.meta.url));

/** The environment without the variables of npm, Node and vitest, some of which refer to the repository. */
export function environment() {
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^npm_|^NODE_|^VITEST/.test(name)),
  );
}

export function createEmptyFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'earshot-packages-'));
  return {
    folder,
    write: (name, text) => writeFileSync(join(folder, name), text),
    /** Runs a program in the folder and returns its standard output. */
    run(command, ...args) {
      const options = { cwd: folder, encoding: 'utf8', env: environment() };
      const { status, stdout, stderr } = spawnSync(command, args, options);
      if (status !== 0)
        throw new Error(`${command} ${args.join(' ')} exited with ${status}\n${stdout}${stderr}`);
      return stdout;
    },
    serve: () => serveFolder(folder),
  };
}

/** Serves the folder over HTTP, with the content types that browsers require. */
function serveFolder(folder) {
  const server = createServer((request, response) => {
    const path = join(folder, new URL(request.url, 'http://folder').pathname);
    if (request.url === '/')
      response.setHeader('content-type', 'text/html').end('<!doctype html><title>Engine</title>');
    else if (existsSync(path)) {
      response
        .setHeader('content-type', extname(path) === '.js' ? 'text/javascript' : 'application/octet-stream')
        .end(readFileSync(path));
    } else response.writeHead(404).end();
  });
  server.listen(0, '127.0.0.1');
  return {
    url: once(server, 'listening').then(() => `http://127.0.0.1:${server.address().port}/`),
    close: () => server.close(),
  };
}
