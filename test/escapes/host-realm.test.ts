/** What JavaScript in the realm of a host process could do, after an escape from its isolate. */
import { rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { getPriority } from 'node:os';
import path from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isAlive, openSandboxes, startPlugin, until } from '../support/plugins/open-sandboxes.ts';

const root = path.resolve(import.meta.dirname, '../..');
const hostScript = path.join(root, 'dist', `witnessed-host-${process.pid}.mjs`);
let callers = 0;
const server = createServer(() => (callers += 1));

beforeAll(async () => {
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { readonly port: number };
  await build({
    entryPoints: [path.join(import.meta.dirname, 'witnessed-host.ts')],
    outfile: hostScript,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node24',
    packages: 'external',
    define: { serverPid: String(process.pid), serverPort: String(port) },
  });
});

afterAll(() => {
  server.close();
  rmSync(hostScript);
});

describe('the realm of a host process', () => {
  test('has nothing left that signals, ranks or connects, and plugins run as ever', async () => {
    const priority = getPriority();
    const sandboxes = openSandboxes(hostScript);
    const plugin = await startPlugin(sandboxes, {
      definition: 'methods: { add: ({ a, b }) => a + b },',
    });

    expect(await plugin.call('add', { a: 1, b: 2 })).toEqual({ kind: 'returned', body: '3' });
    expect(await until(() => plugin.logs.length > 0)).toBe(true);
    expect(plugin.logs).toEqual([{ level: 'info', text: 'worked: nothing' }]);
    expect({ callers, priority: getPriority() }).toEqual({ callers: 0, priority });
    const [host] = sandboxes.report();
    await sandboxes.stop();
    expect(await until(() => !isAlive(host?.pid ?? 0))).toBe(true);
  });
});
