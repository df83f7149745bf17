import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseAllDocuments, parse as parseYaml } from 'yaml';
import { SERVER_ROOT } from './platform/server-root.ts';

const ROOT = join(SERVER_ROOT, '..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const settings = new Set(
  [...read('.env.example').matchAll(/^# ([A-Z][A-Z0-9_]+)=/gm)].map(([, name]) => name),
);
const unknown = (names: Iterable<string>) => [...names].filter((name) => !settings.has(name));

/** Every setting in deploy/ must be one that the service reads: otherwise it would silently ignore a renamed one. */
describe('deploy files', () => {
  it('compose.yaml sets only known settings, from variables that its example names, in read-only containers', () => {
    const text = read('deploy/compose.yaml');
    const compose = parseYaml(text, { merge: true });
    for (const service of ['migrate', 'api', 'worker']) {
      const { environment, read_only: readOnly } = compose.services[service];
      expect(Object.keys(environment).length).toBeGreaterThan(8);
      expect(unknown(Object.keys(environment))).toEqual([]);
      expect(readOnly).toBe(true);
    }
    const example = read('deploy/compose.env.example');
    const referenced = new Set([...text.matchAll(/\$\{([A-Z0-9_]+)/g)].map(([, name]) => name as string));
    expect([...referenced].filter((name) => !new RegExp(`^(# )?${name}=`, 'm').test(example))).toEqual([]);
  });

  it('the Kubernetes manifests set only known settings, and do not run as root', () => {
    const folder = 'deploy/kubernetes';
    type Manifest = {
      kind: string;
      data?: Record<string, string>;
      stringData?: Record<string, string>;
      spec?: { template?: { spec: { securityContext: object; containers: { env?: { name: string }[] }[] } } };
    };
    const manifests = readdirSync(join(ROOT, folder)).flatMap((name) =>
      parseAllDocuments(read(join(folder, name))).map((document) => {
        expect(document.errors, name).toEqual([]);
        return document.toJS() as Manifest;
      }),
    );
    const names = manifests.flatMap(({ data, stringData }) => Object.keys({ ...data, ...stringData }));
    expect(names.length).toBeGreaterThan(10);
    const pods = manifests.flatMap(({ spec }) => (spec?.template ? [spec.template.spec] : []));
    expect(pods).toHaveLength(2);
    for (const { securityContext, containers } of pods) {
      expect(securityContext).toMatchObject({ runAsNonRoot: true });
      names.push(...containers.flatMap(({ env = [] }) => env.map(({ name }) => name)));
    }
    expect(unknown(names)).toEqual([]);
  });

  it.each(['earshot-serve.service', 'earshot-work@.service'])('%s sets only known settings', (name) => {
    const lines = [...read(`deploy/systemd/${name}`).matchAll(/^Environment=(.*)$/gm)];
    const names = lines.flatMap(([, pairs = '']) => pairs.split(' ').map((pair) => pair.split('=')[0] ?? ''));
    expect(names).toContain('METRICS_PORT');
    expect(unknown(names)).toEqual([]);
  });

  it('the image sets only known settings, contains what the service needs, and does not run as root', () => {
    const text = read('Dockerfile');
    const [, pairs = ''] = /^ENV (.*)$/m.exec(text) ?? [];
    expect(unknown(pairs.split(' ').map((pair) => pair.split('=')[0] ?? ''))).toEqual([]);
    const [, copied = ''] = /cp -r --parents (.+?) \/app\b/s.exec(text) ?? [];
    const needed = [
      'server',
      'decode/dist',
      'decode/launcher/bin',
      'engine/models',
      'dashboard/dist',
      'docs',
      'CHANGELOG.md',
    ];
    expect(copied.split(/[\s\\]+/)).toEqual(expect.arrayContaining(needed));
    expect(text).toMatch(/^USER 1000$/m);
  });
});
