/** Issue 5, point 4: a package of its own, for browsers, Node and React Native alike. */
import { build } from 'esbuild';
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { builtinModules } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { createContext, runInContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createWorld } from '../../../test/support/identity-fakes/world.ts';
import { buildClient } from './build.ts';
import type * as Client from './index.ts';
import { errorCodes } from './index.ts';
import { testByNight } from '../../../test/support/run/test-by-night.ts';
import { isNightly } from '../../../test/support/run/nightly.ts';

const root = path.resolve(import.meta.dirname, '../../..');
const run = promisify(execFile);

let folder: string;
let installed: string;

/** A folder with only the package, copied as from a registry. */
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'vitrine-client-'));
  installed = path.join(folder, 'node_modules/@vitrine/client');
  await mkdir(installed, { recursive: true });
  await buildClient(path.join(installed, 'dist'));
  for (const name of ['package.json', 'README.md'])
    await cp(path.join(import.meta.dirname, name), path.join(installed, name));
  await writeFile(path.join(folder, 'package.json'), '{"type":"module"}');
}, 120_000);

afterAll(() => rm(folder, { recursive: true }));

describe('the package', () => {
  test('has no dependencies, and exactly the files that its exports name', async () => {
    const text = await readFile(path.join(installed, 'package.json'), 'utf8');
    const { dependencies, peerDependencies, exports, files } = JSON.parse(text) as {
      dependencies?: object;
      peerDependencies?: object;
      exports: Readonly<Record<string, Readonly<Record<string, string>>>>;
      files: readonly string[];
    };
    expect({ dependencies, peerDependencies, files }).toEqual({
      dependencies: undefined,
      peerDependencies: undefined,
      files: ['dist'],
    });
    for (const file of Object.values(exports).flatMap((one) => Object.values(one)))
      expect(await readFile(path.join(installed, file), 'utf8')).not.toBe('');
    const licences = await readFile(path.join(installed, 'dist/THIRD-PARTY.txt'), 'utf8');
    expect(licences).toContain('@noble/ed25519');
    expect(licences).toContain('canonicalize');
  });

  test('imports nothing, from Node or elsewhere', async () => {
    for (const name of await readdir(path.join(installed, 'dist'))) {
      if (!name.endsWith('.js')) continue;
      const text = await readFile(path.join(installed, 'dist', name), 'utf8');
      expect(text).not.toMatch(/^import\s|\bimport\(|\brequire\(|\bprocess\.|\bBuffer\b/m);
      for (const builtin of builtinModules) expect(text).not.toContain(`"node:${builtin}"`);
    }
  });

  testByNight(
    'has types that need neither those of Node nor of the server',
    async () => {
      const readme = await readFile(path.join(installed, 'README.md'), 'utf8');
      const [, example = ''] = /## Twenty lines\n+```ts\n([^`]+)```/.exec(readme) ?? [];
      expect(example.trim().split('\n').length).toBeLessThanOrEqual(25);
      await writeFile(path.join(folder, 'readme.ts'), example);
      await writeFile(
        path.join(folder, 'use.ts'),
        `import '@vitrine/client/react-native';
       import { createClient, createMemoryKeyStore, IdentityError, type ClientState } from '@vitrine/client';
       const wrong: string = createMemoryKeyStore;
       export { createClient, IdentityError, wrong, type ClientState };`,
      );
      const tsc = path.join(root, 'node_modules/typescript-native/bin/tsc');
      const options = '--noEmit --strict --target es2022 --lib es2023,dom --module nodenext';
      const files = ['readme.ts', 'use.ts'];
      const said = await run(process.execPath, [tsc, ...options.split(' '), ...files], {
        cwd: folder,
      }).catch((error: unknown) => error as { stdout: string });
      const faults = said.stdout.match(/^.*error TS\d+/gm) ?? [];
      // The intended error shows that the types are not `any`.
      expect(faults).toEqual([expect.stringMatching(/^use\.ts.*TS2322$/)]);
    },
    120_000,
  );

  test('has a README that lists every error', async () => {
    const readme = await readFile(path.join(installed, 'README.md'), 'utf8');
    const rows = [...readme.matchAll(/^\| `(\w+)`\s*\| (.+?)\s*\|$/gm)].map(([, code, text]) => [
      code,
      text,
    ]);
    for (const entry of Object.entries(errorCodes)) expect(rows).toContainEqual(entry);
  });
});

const script = `
  import { createClient, createMemoryKeyStore, createMemoryStore } from '@vitrine/client';
  const client = createClient({
    appId: 'app_example', identityUrl: process.argv[2], deviceName: 'Shell', platform: 'cli',
    keys: createMemoryKeyStore(), store: createMemoryStore(),
  });
  const { code } = await client.pairByCode();
  console.log(code);
  client.stop();
`;

/** Other releases of Node that may be installed. */
const otherNode = isNightly ? ['/usr/bin/node', '/usr/local/bin/node'] : [];

describe('the package runs', () => {
  test.each([process.execPath, ...otherNode])('in an empty folder under %s', async (node) => {
    const version = await run(node, ['--version']).then(
      ({ stdout }) => Number(/^v(\d+)/.exec(stdout)?.[1]),
      () => 0,
    );
    if (version < 20) return;
    const { broker } = await createWorld();
    await writeFile(path.join(folder, 'app.mjs'), script);

    const { stdout, stderr } = await run(node, ['app.mjs', broker.url], { cwd: folder });

    expect(stdout.trim()).toMatch(/^\d{4} \d{4}$/);
    expect(stderr).toBe('');
  });

  test('in an engine like React Native’s: no WebCrypto, no streams, no TextDecoder', async () => {
    const { broker, clock, servers } = await createWorld();
    const [out] = (
      await build({
        stdin: {
          contents: `import '@vitrine/client/react-native'; export * from '@vitrine/client';`,
          resolveDir: folder,
        },
        bundle: true,
        write: false,
        format: 'iife',
        globalName: 'sdk',
        platform: 'neutral',
      })
    ).outputFiles;
    const engine = createContext(poorEngine());
    runInContext('delete String.prototype.isWellFormed', engine);
    const sdk = runInContext(`${out?.text ?? ''}; sdk`, engine) as typeof Client;

    let seed = 0;
    const random = (length: number): Uint8Array<ArrayBuffer> =>
      Uint8Array.from({ length }, () => (seed = (seed * 31 + 7) % 251));
    const client = sdk.createClient({
      appId: 'app_example',
      identityUrl: broker.url,
      deviceName: 'Phone',
      platform: 'mobile',
      keys: sdk.createMemoryKeyStore(random),
      store: sdk.createMemoryStore(),
      clock,
      random,
      fetch: async (url, init) => poorResponse(await clock.fetch(url, withoutSignal(init))),
    });
    await client.start();
    const cancelled = await client.pairByCode();
    cancelled.cancel();
    expect(await cancelled.done.catch((error: unknown) => error)).toMatchObject({
      code: 'cancelled',
    });
    await clock.advance(2_000);
    const pairing = await client.pairByCode();
    await broker.approve();
    await clock.advance(3_000);
    await pairing.done;
    await clock.settle();
    expect(client.state().servers.map(({ status }) => status)).toEqual(['online', 'online']);
    expect(await client.server(servers[0].serverId).libraries()).toMatchObject([{ name: 'Films' }]);
    client.stop();
  });
});

/** Globals of Hermes with the two polyfills that the README names. */
function poorEngine(): Readonly<Record<string, unknown>> {
  class PoorUrl extends URL {}
  Object.defineProperty(PoorUrl, 'canParse', { value: undefined, configurable: true });
  /** Like React Native's: its signal has no reason and no `throwIfAborted`. */
  class PoorController {
    readonly signal = Object.assign(new EventTarget(), { aborted: false });
    abort(): void {
      if (this.signal.aborted) return;
      this.signal.aborted = true;
      this.signal.dispatchEvent(new Event('abort'));
    }
  }
  return {
    AbortController: PoorController,
    Headers,
    TextEncoder,
    URL: PoorUrl,
    console,
    setTimeout,
    clearTimeout,
  };
}

/** The fetch of the test does not accept a signal of another class. */
const withoutSignal = ({ signal: _, ...init }: RequestInit = {}): RequestInit => init;

function poorResponse(response: Response): Response {
  const poor = {
    status: response.status,
    ok: response.ok,
    headers: response.headers,
    text: () => response.text(),
    clone: () => poorResponse(response.clone()),
  };
  return poor as unknown as Response;
}
