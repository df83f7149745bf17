import dgram from 'node:dgram';
import dns from 'node:dns';
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';
import vm from 'node:vm';

export const LOCKED_DOWN_CODE = 'ERR_DECODER_LOCKED_DOWN';

function refuse(): never {
  throw Object.assign(new Error('the decoder may not do this'), { code: LOCKED_DOWN_CODE });
}

/** Functions of `process` that affect other processes, or expose Node's internals. */
const REFUSED = ['binding', '_linkedBinding', 'dlopen', 'execve', 'kill', '_kill', 'chdir', '_debugProcess'];

/**
 * Removes networking, signals and code generation from strings for all scripts in this process. This is for machines that do not grant
 * the walls of the kernel, which are stronger. http, https, http2, tls and fetch all go through net.Socket.
 */
export function lockDown(): void {
  for (const { prototype } of [net.Socket, net.Server, dgram.Socket]) refuseAll(prototype);
  for (const exported of [net, dgram, dns, dns.promises, vm]) refuseAll(exported);
  for (const name of ['fetch', 'WebSocket', 'EventSource']) Reflect.deleteProperty(globalThis, name);
  for (const name of REFUSED) Reflect.set(process, name, refuse);
  removeCodeGeneration();
  syncBuiltinESMExports();
}

/**
 * Removes `eval` and the constructors of the four kinds of function. V8 has a flag for that, but any V8 flag disables the code cache of
 * Node's own modules, which slows every start.
 */
function removeCodeGeneration(): void {
  const samples = [() => {}, async () => {}, function* () {}, async function* () {}];
  for (const prototype of samples.map(Object.getPrototypeOf)) {
    const refusing = Object.assign(refuse.bind(null), { prototype });
    Object.defineProperty(prototype, 'constructor', {
      value: refusing,
      writable: false,
      configurable: false,
    });
  }
  Object.assign(globalThis, { eval: refuse, Function: Function.prototype.constructor });
}

/** Includes names with an underscore: they are internal, but any script can call them. */
function refuseAll(owner: object): void {
  for (const name of Object.getOwnPropertyNames(owner)) {
    const { value, configurable } = Object.getOwnPropertyDescriptor(owner, name)!;
    if (name === 'constructor' || typeof value !== 'function' || !configurable) continue;
    Object.defineProperty(owner, name, { value: refuse, writable: false, configurable: false });
  }
}
