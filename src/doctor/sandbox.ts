/** Whether plugins can run here at all: a plugin host is started, tests its engine, and is ended. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { createSandboxes, silentLog } from '../../kernel/index.ts';
import { bad, good, type Finding } from './finding.ts';

const nothing = (): undefined => undefined;

/** Starts a plugin that does nothing; `folder` has the built parts. */
export async function examineSandbox(folder: string): Promise<Finding> {
  const check = 'sandbox';
  try {
    const sandboxes = createSandboxes({
      nodePath: process.execPath,
      hostScript: path.join(folder, 'plugin-host.mjs'),
      guestRuntime: readFileSync(path.join(folder, 'guest-runtime.js'), 'utf8'),
      log: silentLog,
    });
    try {
      await sandboxes.start({
        pluginId: 'doctor',
        script: 'var __plugin = { default: {} };',
        memoryMb: 32,
        wasm: false,
        process: 'own',
        services: {},
        gate: () => Promise.resolve({ ok: true, body: 'null' }),
        onLog: nothing,
        onGone: nothing,
      });
      return good(check, 'A plugin host starts, and endless code in it can be ended.');
    } finally {
      await sandboxes.stop();
    }
  } catch (error) {
    return bad(check, {
      what: error instanceof Error ? error.message : String(error),
      remedy:
        'Remove node_modules and start again with npm start, on a system that README.md names.',
    });
  }
}
