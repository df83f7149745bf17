import { Resolver } from 'node:dns/promises';
import { afterAll, expect, it } from 'vitest';
import { startDnsStandIn } from './dns-stand-in.ts';

const dns = await startDnsStandIn();
const resolver = new Resolver({ timeout: 5_000, tries: 1 });
resolver.setServers([dns.server]);
afterAll(() => dns.close());

it('gives each question its own answer, and repeats the last one', async () => {
  dns.script('a.test', [{ addresses: ['192.0.2.1'] }, { addresses: ['192.0.2.2', '::1'] }]);
  expect(await resolver.resolve4('a.test')).toEqual(['192.0.2.1']);
  expect(await resolver.resolve4('a.test')).toEqual(['192.0.2.2']);
  expect(await resolver.resolve4('a.test')).toEqual(['192.0.2.2']);
});

it('answers with both families of addresses, and through an alias', async () => {
  dns.script('b.test', [{ alias: 'inner.test', addresses: ['10.0.0.1', '2001:db8:0:0:0:0:0:7'] }]);
  expect(await resolver.resolve4('b.test')).toEqual(['10.0.0.1']);
  expect(await resolver.resolve6('b.test')).toEqual(['2001:db8::7']);
});

it('gives a long answer over TCP, which does not take the answer of the next question', async () => {
  dns.script('c.test', [
    { addresses: Array.from({ length: 1000 }, () => '192.0.2.3') },
    { addresses: ['192.0.2.4'] },
    { addresses: ['192.0.2.5'] },
  ]);
  expect(await resolver.resolve4('c.test')).toHaveLength(1000);
  expect(await resolver.resolve4('c.test')).toEqual(['192.0.2.4']);
});

it('gives a question that is repeated after silence the next answer', async () => {
  const persistent = new Resolver({ timeout: 100, tries: 2 });
  persistent.setServers([dns.server]);
  dns.script('e.test', [{ fault: 'silence' }, { addresses: ['192.0.2.6'] }]);
  expect(await persistent.resolve4('e.test')).toEqual(['192.0.2.6']);
});

it('fails as scripted, and for a name without a script', async () => {
  dns.script('d.test', [{ fault: 'server failure' }]);
  await expect(resolver.resolve4('d.test')).rejects.toMatchObject({ code: 'ESERVFAIL' });
  await expect(resolver.resolve4('unscripted.test')).rejects.toMatchObject({ code: 'ENOTFOUND' });
});
