import dgram from 'node:dgram';
import dns from 'node:dns';
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';
import vm from 'node:vm';

export const LOCKED_DOWN_CODE = 'ERR_DECODER_LOCKED_DOWN';

function refuse(): never {
  throw Object.assign(new Error('the decoder may not do this'), { code: LOCKED_DOWN_CODE });
}

/** Those of `process` that reach outside of it, or beneath Node's own functions. */
const REFUSED = ['binding', '_linkedBinding', 'dlopen', 'execve', 'kill', '_kill', 'chdir', '_debugProcess'];

/**
 * Takes network, signals and the making of code from strings away from every script in this process. The kernel's walls are the
 * real ones; this one stands where a machine does not grant them. All of http, https, http2, tls and fetch go through net.Socket.
 */
export function lockDown(): void {
  for (const { prototype } of [net.Socket, net.Server, dgram.Socket]) refuseAll(prototype);
  for (const exported of [net, dgram, dns, dns.promises, vm]) refuseAll(exported);
  for (const name of ['fetch', 'WebSocket', 'EventSource']) Reflect.deleteProperty(globalThis, name);
  for (const name of REFUSED) Reflect.set(process, name, refuse);
  takeAwayCompilers();
  syncBuiltinESMExports();
}

/** `eval`, and the constructors of the four kinds of function. V8's flag for it would cost every start the code cache of Node's own modules. */
function takeAwayCompilers(): void {
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

/** The ones with an underscore too: Node's own functions call them, and so can anybody. */
function refuseAll(owner: object): void {
  for (const name of Object.getOwnPropertyNames(owner)) {
    const { value, configurable } = Object.getOwnPropertyDescriptor(owner, name)!;
    if (name === 'constructor' || typeof value !== 'function' || !configurable) continue;
    Object.defineProperty(owner, name, { value: refuse, writable: false, configurable: false });
  }
}
