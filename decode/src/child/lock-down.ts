import dgram from 'node:dgram';
import dns from 'node:dns';
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';

/**
 * Takes the network away from everything in this process. The network namespace is the real wall; this one stands where
 * the machine does not grant it. All of http, https, http2, tls and fetch go through net.Socket.
 */
export function lockDown(): void {
  const refuse = () => {
    throw new Error('the decoder has no network');
  };
  for (const prototype of [net.Socket.prototype, net.Server.prototype, dgram.Socket.prototype]) {
    for (const name of ['connect', 'listen', 'bind', 'send']) {
      if (name in prototype) Object.defineProperty(prototype, name, { value: refuse, writable: false });
    }
  }
  for (const resolver of [dns, dns.promises]) {
    for (const [name, member] of Object.entries(resolver)) {
      if (typeof member === 'function') Reflect.set(resolver, name, refuse);
    }
  }
  for (const name of ['fetch', 'WebSocket', 'EventSource']) Reflect.deleteProperty(globalThis, name);
  for (const name of ['binding', 'dlopen', 'kill', 'chdir']) Reflect.set(process, name, refuse);
  syncBuiltinESMExports();
}
