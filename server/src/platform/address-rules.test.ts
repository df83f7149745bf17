import { syncBuiltinESMExports } from 'node:module';
import os from 'node:os';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { createAddressRules } from './address-rules.ts';

/** Two public addresses that this machine pretends to have. */
const own = ['9.9.9.9', '2620:fe::fe'].map((address) => ({ address }) as os.NetworkInterfaceInfo);
vi.spyOn(os, 'networkInterfaces').mockReturnValue({ eth0: own });
syncBuiltinESMExports();
afterAll(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
});

const rules = createAddressRules([]);

describe('closed addresses', () => {
  it.each([
    ...[
      '0.0.0.0',
      '0.255.255.255',
      '10.0.0.0',
      '10.255.255.255',
      '100.64.0.0',
      '100.127.255.255',
      '100.100.100.200',
    ],
    ...['127.0.0.1', '127.0.0.2', '127.255.255.254', '168.63.129.16', '169.254.0.0', '169.254.169.254'],
    ...[
      '169.254.255.255',
      '172.16.0.0',
      '172.31.255.255',
      '192.0.0.255',
      '192.0.2.255',
      '192.88.99.255',
      '192.0.0.1',
      '192.0.2.1',
      '192.88.99.1',
      '192.168.0.0',
      '192.168.255.255',
    ],
    ...[
      '198.18.0.0',
      '198.19.255.255',
      '198.51.100.0',
      '198.51.100.255',
      '203.0.113.255',
      '203.0.113.0',
      '198.51.100.7',
      '203.0.113.7',
      '224.0.0.1',
      '239.255.255.255',
      '240.0.0.1',
    ],
    ...['255.255.255.255', '::', '::1', '::ffff:127.0.0.1', '::ffff:8.8.8.8', '::127.0.0.1', '::8.8.8.8'],
    ...[
      '64:ff9b::7f00:1',
      '64:ff9b::808:808',
      '64:ff9b:1::7f00:1',
      '100::1',
      '2001::1',
      '2001:0:4136:e378::1',
    ],
    ...[
      '2001:2::1',
      '2001:10::1',
      '2001:db8::1',
      '2002:7f00:1::',
      '2002:808:808::',
      '3fff::1',
      '3fff:fff::1',
      '2001:1ff::1',
    ],
    ...[
      '5f00::1',
      'fc00::1',
      'fd00:ec2::254',
      'fe80::1',
      'fe80::1%eth0',
      'fec0::1',
      'ff02::1',
      'not an address',
      '',
    ],
  ])('%s', (address) => {
    expect(rules.judge(address)).toEqual({ allowed: false, opened: false });
  });

  it.each(own)('$address, a public address of this machine', ({ address }) => {
    expect(rules.judge(address)).toEqual({ allowed: false, opened: false });
  });
});

describe('open addresses, among them the neighbours of closed ranges', () => {
  it.each([
    ...[
      '8.8.8.8',
      '1.0.0.0',
      '9.255.255.255',
      '11.0.0.0',
      '100.63.255.255',
      '100.128.0.0',
      '126.255.255.255',
    ],
    ...['128.0.0.0', '168.63.129.15', '168.63.129.17', '169.253.255.255', '169.255.0.0', '172.15.255.255'],
    ...[
      '172.32.0.0',
      '191.255.255.255',
      '192.0.1.0',
      '192.0.3.0',
      '192.88.98.255',
      '192.88.100.0',
      '192.167.255.255',
    ],
    ...[
      '192.169.0.0',
      '198.17.255.255',
      '198.20.0.0',
      '198.51.99.255',
      '198.51.101.0',
      '203.0.112.255',
      '203.0.114.0',
    ],
    ...[
      '223.255.255.255',
      '2000::1',
      '2001:200::1',
      '2001:db7::1',
      '2001:db9::1',
      '2003::1',
      '2606:4700::1111',
    ],
    ...['3ffe:ffff::1', '3fff:1000::1'],
  ])('%s', (address) => {
    expect(rules.judge(address)).toEqual({ allowed: true, opened: false });
  });
});

describe('ALLOW_PRIVATE_TARGETS', () => {
  it('opens the ranges it names and nothing else', () => {
    const opened = createAddressRules(['127.0.0.50/32', '10.1.0.0/16', 'fd00:1::/64']);
    for (const address of ['127.0.0.50', '10.1.255.255', 'fd00:1::5']) {
      expect(opened.judge(address)).toEqual({ allowed: true, opened: true });
    }
    for (const address of ['127.0.0.51', '127.0.0.1', '10.2.0.0', 'fd00:1:0:1::5', '::ffff:127.0.0.50']) {
      expect(opened.judge(address).allowed).toBe(false);
    }
  });

  it('opens loopback and link-local addresses only by an entry within these ranges', () => {
    const wide = createAddressRules(['0.0.0.0/0', '::/0']);
    expect(wide.judge('10.0.0.1').allowed).toBe(true);
    expect(wide.judge('fd00::1').allowed).toBe(true);
    for (const address of ['127.0.0.1', '169.254.169.254', '0.0.0.0', '::1', 'fe80::1', '::']) {
      expect(wide.judge(address).allowed).toBe(false);
    }
    expect(createAddressRules(['127.0.0.0/8']).judge('127.0.0.1').allowed).toBe(true);
  });
});
