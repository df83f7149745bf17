import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { codePaths, interpreterOf, linksTo, programPaths } from './needed-files.ts';

const root = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'earshot-needed-')));
afterAll(() => rmSync(root, { recursive: true }));

function packageAt(folder: string, content: object): string {
  const whole = path.join(root, folder);
  mkdirSync(whole, { recursive: true });
  writeFileSync(path.join(whole, 'package.json'), JSON.stringify(content));
  return whole;
}

it('the code is the bundle and its installed dependencies, direct and indirect, once each and without the workspace', () => {
  const own = packageAt('decode', {
    dependencies: { codec: '1', 'of-workspace': '1' },
    optionalDependencies: { optional: '1', absent: '1' },
  });
  const codec = packageAt('node_modules/codec', { dependencies: { shared: '1' } });
  // It has its own version of `shared`, which needs the codec in turn.
  const nested = packageAt('node_modules/codec/node_modules/shared', { dependencies: { codec: '1' } });
  const optional = packageAt('decode/node_modules/optional', { dependencies: { shared: '1' } });
  const shared = packageAt('node_modules/shared', {});
  packageAt('node_modules/unrelated', {});
  symlinkSync(packageAt('service', {}), path.join(root, 'node_modules', 'of-workspace'));
  const bundle = path.join(own, 'dist');
  expect(codePaths(path.join(bundle, 'child.cjs')).sort()).toEqual(
    [bundle, path.join(own, 'package.json'), codec, nested, optional, shared].sort(),
  );
});

it('the code of a package that pnpm installed includes the links to its dependencies and what they lead to', () => {
  const [store, service] = ['pnpm/node_modules/.pnpm', 'pnpm/service'];
  const own = packageAt(`${store}/own@1/node_modules/own`, {
    dependencies: { codec: '1', 'of-workspace': '1' },
  });
  const codec = packageAt(`${store}/codec@1/node_modules/codec`, { dependencies: { '@scope/shared': '1' } });
  const shared = packageAt(`${store}/@scope+shared@1/node_modules/@scope/shared`, {
    dependencies: { codec: '1' },
  });
  const link = (target: string, file: string) => {
    const whole = path.join(root, store, file);
    mkdirSync(path.dirname(whole), { recursive: true });
    symlinkSync(path.relative(path.dirname(whole), target), whole);
    return whole;
  };
  const links = [
    link(codec, 'own@1/node_modules/codec'),
    link(shared, 'codec@1/node_modules/@scope/shared'),
    link(codec, '@scope+shared@1/node_modules/codec'),
  ];
  link(packageAt(service, {}), 'own@1/node_modules/of-workspace');
  const bundle = path.join(own, 'dist');
  expect(codePaths(path.join(bundle, 'child.cjs')).sort()).toEqual(
    [bundle, path.join(own, 'package.json'), codec, shared, ...links].sort(),
  );
});

it('the code outside any package is its folder alone', () => {
  expect(codePaths('/nowhere/dist/child.cjs')).toEqual(['/nowhere/dist']);
});

it('the names of a library are the links to it in its folder, as of glibc before and since 2.34', () => {
  const folder = path.join(root, 'lib');
  mkdirSync(folder);
  for (const name of ['libc-2.31.so', 'libz.so.1.2.13', 'libother.so.1'])
    writeFileSync(path.join(folder, name), '');
  const links = { 'libc.so.6': 'libc-2.31.so', 'libz.so.1': path.join(folder, 'libz.so.1.2.13') };
  const others = {
    'libother.so': 'libother.so.1',
    'notes.txt': 'libc-2.31.so',
    'libgone.so.1': 'libgone.so.1.0',
  };
  for (const [name, target] of Object.entries({ ...links, ...others }))
    symlinkSync(target, path.join(folder, name));
  const names = linksTo(['libc-2.31.so', 'libz.so.1.2.13'].map((name) => path.join(folder, name)));
  expect(names.sort()).toEqual(['libc.so.6', 'libz.so.1'].map((name) => path.join(folder, name)));
});

describe('the interpreter of an ELF program', () => {
  const HEADER_BYTES = 64;
  const ENTRY_BYTES = 56;
  const LOADABLE = 1;
  const INTERPRETER = 3;

  /** A 64-bit little-endian program with these segments (elf(5)); `name` follows its table. */
  function elfOf(segmentTypes: number[], name: string, tableAt = HEADER_BYTES): string {
    const nameAt = tableAt + ENTRY_BYTES * segmentTypes.length;
    const bytes = Buffer.alloc(nameAt + name.length + 1);
    bytes.write('\x7fELF', 'latin1');
    bytes.writeBigUInt64LE(BigInt(tableAt), 32);
    bytes.writeUInt16LE(ENTRY_BYTES, 54);
    bytes.writeUInt16LE(segmentTypes.length, 56);
    for (const [index, type] of segmentTypes.entries()) {
      const at = tableAt + ENTRY_BYTES * index;
      bytes.writeUInt32LE(type, at);
      bytes.writeBigUInt64LE(BigInt(nameAt), at + 8);
      bytes.writeBigUInt64LE(BigInt(name.length + 1), at + 32);
    }
    bytes.write(name, nameAt, 'latin1');
    const file = path.join(root, 'program');
    writeFileSync(file, bytes);
    return file;
  }

  it.each([
    ['named by its second segment', [LOADABLE, INTERPRETER], HEADER_BYTES, '/lib64/ld-linux-x86-64.so.2'],
    ['absent', [LOADABLE, LOADABLE], HEADER_BYTES, null],
    ['behind the first 4,096 bytes, where no linker puts its table', [INTERPRETER], 4_090, null],
  ])('is %s', (_, segments, tableAt, expected) => {
    expect(interpreterOf(elfOf(segments, '/lib64/ld-linux-x86-64.so.2', tableAt))).toBe(expected);
  });

  it('is null for a file that is no program', () => {
    const file = path.join(root, 'text');
    writeFileSync(file, 'no program at all'.repeat(10));
    expect(interpreterOf(file)).toBeNull();
  });
});

it.runIf(process.platform === 'linux')(
  'the program is this Node with its loader and libraries, by their real paths',
  () => {
    const needed = programPaths();
    const targets = needed.map(({ target }) => target);
    expect(targets).toEqual(expect.arrayContaining([process.execPath, interpreterOf(process.execPath)]));
    // The C library, of glibc or of musl.
    expect(targets).toContainEqual(expect.stringMatching(/\/libc\.(so|musl)/));
    for (const { source, target, isProgram } of needed) {
      expect(isProgram).toBe(true);
      expect(source).toBe(realpathSync(target));
      if (target !== process.execPath) expect(target).toMatch(/\.so(\.\d+)*$/);
    }
  },
);
