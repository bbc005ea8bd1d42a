/** What docs/install/cluster says of servers, balancer and orchestrator is what these take. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { serverRoles } from '../../src/contract/resources/operations/operations.ts';
import { settings } from '../../src/platform/config.ts';
import { layKeys } from '../../src/platform/secrets/index.ts';
import { renderChart } from '../support/install/render-chart.ts';
import { haproxy } from '../support/servers/balancer.ts';

const folder = path.resolve(import.meta.dirname, '../../docs/install/cluster');
const chart = path.join(folder, 'chart');
const run = promisify(execFile);
const known: ReadonlySet<string> = new Set(settings.map(({ env }) => env));

interface Container {
  readonly ports: readonly { readonly name: string; readonly containerPort: number }[];
  readonly env: readonly { readonly name: string; readonly value?: string }[];
  readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[];
  readonly readinessProbe: { readonly httpGet: { readonly path: string; readonly port: string } };
}

interface Deployed {
  readonly spec: {
    readonly replicas: number;
    readonly selector: { readonly matchLabels: Readonly<Record<string, string>> };
    readonly template: {
      readonly metadata: { readonly labels: Readonly<Record<string, string>> };
      readonly spec: {
        readonly terminationGracePeriodSeconds: number;
        readonly containers: readonly [Container];
        readonly volumes: readonly { readonly name: string }[];
      };
    };
  };
}

function temporary(): string {
  const place = mkdtempSync(path.join(tmpdir(), 'vitrine-keys-'));
  onTestFinished(() => rmSync(place, { recursive: true }));
  return place;
}

test('make-keys.sh makes the keys that a server takes (needs openssl)', async () => {
  const data = temporary();
  const file = path.join(data, 'keys');
  const { stdout } = await run('sh', [path.join(folder, 'make-keys.sh')]);
  writeFileSync(file, stdout, { mode: 0o600 });

  layKeys(data, file);

  const laid = ['server.key', 'server-id.key'].map((name) =>
    readFileSync(path.join(data, name), 'utf8'),
  );
  expect(laid.join('')).toBe(stdout);
});

test.skipIf(haproxy === undefined)('haproxy takes haproxy.cfg (needs haproxy)', async () => {
  const { stdout, stderr } = await run(haproxy ?? '', [
    '-c',
    '-f',
    path.join(folder, 'haproxy.cfg'),
  ]);

  expect(stdout + stderr).not.toMatch(/WARNING|ALERT/);
});

test('the servers of compose.yaml share all roles, keys and blobs, and may do no more than they need', () => {
  const text = readFileSync(path.join(folder, 'compose.yaml'), 'utf8');
  const { services, secrets, volumes } = parse(text, { merge: true }) as {
    services: Record<string, Record<string, unknown>>;
    secrets: object;
    volumes: object;
  };
  const { web, convert, ...others } = services;
  const rolesOf = (service: Record<string, unknown> | undefined) =>
    (service as { environment: { VITRINE_ROLES: string } }).environment.VITRINE_ROLES.split(',');

  expect([...rolesOf(web), ...rolesOf(convert)].sort()).toEqual([...serverRoles].sort());
  expect(web).toMatchObject({ deploy: { replicas: 3 }, stop_grace_period: '50s' });
  for (const service of [web, convert, others['balancer']])
    expect(service).toMatchObject({
      ...{ read_only: true, cap_drop: ['ALL'] },
      ...{ security_opt: ['no-new-privileges:true'], networks: ['inside'] },
    });
  expect(Object.keys(others).sort()).toEqual(['balancer', 'database']);
  expect([Object.keys(secrets), Object.keys(volumes)]).toEqual([['keys'], ['blobs', 'database']]);
  for (const [name] of text.matchAll(/\bVITRINE_[A-Z_]+/g)) expect(known).toContain(name);
});

describe('the chart', () => {
  const bucket = { blobs: { bucket: 's3://media/vitrine', endpoint: 'https://s3.example.org' } };

  test.each([
    ['with a claim', {}],
    ['with a bucket', bucket],
  ])('has servers whose labels, ports, mounts and settings fit together, %s', (_, values) => {
    const objects = renderChart(chart, values);
    const config = objects.get('config.yaml') as { data: Record<string, string> };

    for (const name of ['web', 'convert']) {
      const { spec } = objects.get(`${name}.yaml`) as unknown as Deployed;
      const { metadata, spec: pod } = spec.template;
      const [container] = pod.containers;
      expect(metadata.labels).toMatchObject(spec.selector.matchLabels);
      expect(container.volumeMounts.map((mount) => mount.name).sort()).toEqual(
        pod.volumes.map((volume) => volume.name).sort(),
      );
      expect(container.ports.map((port) => port.name)).toContain(
        container.readinessProbe.httpGet.port,
      );
      expect(container.readinessProbe.httpGet.path).toBe('/api/ready');
      const drain = Number(config.data['VITRINE_DRAIN_SECONDS']);
      expect(pod.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(drain + 30 + 15);
      const mounts = container.volumeMounts.map(({ mountPath }) => mountPath);
      const files = ['VITRINE_SERVER_KEY_FILE', 'VITRINE_BLOBS_KEY_FILE'].flatMap(
        (setting) => config.data[setting] ?? [],
      );
      for (const file of files) expect(mounts).toContain(path.dirname(file));
      const names = [...container.env.map((one) => one.name), ...Object.keys(config.data)];
      for (const one of names.filter((each) => each !== 'POD_IP')) expect(known).toContain(one);
      for (const each of ['service.yaml', 'budget.yaml'] as const)
        expect(JSON.stringify(objects.get(each))).toContain('"app.kubernetes.io/component":"web"');
    }
    expect(config.data['VITRINE_BLOBS']).toBe('blobs' in values ? bucket.blobs.bucket : '/blobs');
  });

  test('shares all roles out', () => {
    const objects = renderChart(chart);
    const roles = ['web', 'convert'].flatMap((name) => {
      const { spec } = objects.get(`${name}.yaml`) as unknown as Deployed;
      const { env } = spec.template.spec.containers[0];
      return env.find((one) => one.name === 'VITRINE_ROLES')?.value?.split(',') ?? [];
    });

    expect(roles.sort()).toEqual([...serverRoles].sort());
  });
});
