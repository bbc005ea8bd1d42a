/** Checks whether plugins can run: starts a plugin host, tests its engine, and stops it. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { silentLog } from '../../../kernel/index.ts';
import {
  createSandboxes,
  isolationWords,
  type IsolationMode,
  type IsolationReport,
} from '../../../kernel/sandbox/index.ts';
import { bad, good, hint, type Finding } from './finding.ts';

const nothing = (): undefined => undefined;

/** Starts an empty plugin like an installed one; `folder` is the output of the build. */
export async function examineSandbox(
  folder: string,
  mode: IsolationMode,
): Promise<readonly Finding[]> {
  try {
    const sandboxes = createSandboxes({
      nodePath: process.execPath,
      hostScript: path.join(folder, 'plugin-host.mjs'),
      guestRuntime: readFileSync(path.join(folder, 'guest-runtime.js'), 'utf8'),
      isolation: mode === 'require' ? 'auto' : mode,
      log: silentLog,
    });
    try {
      await sandboxes.start({
        pluginId: 'doctor',
        script: 'var __plugin = { default: {} };',
        memoryMb: 32,
        wasm: false,
        process: 'own',
        isLowPriority: true,
        services: {},
        gate: () => Promise.resolve({ ok: true, body: 'null' }),
        onLog: nothing,
        onGone: nothing,
      });
      return [
        good('sandbox', 'A plugin host starts, and an endless loop in it can be stopped.'),
        isolationFinding(await sandboxes.isolation(), mode),
      ];
    } finally {
      await sandboxes.stop();
    }
  } catch (error) {
    return [
      bad('sandbox', {
        what: error instanceof Error ? error.message : String(error),
        remedy:
          'Remove node_modules and start again with npm start, on a system that README.md names.',
      }),
    ];
  }
}

/** The isolation of the processes of installed plugins: `namespaces`, `landlock` or `process`. */
export function isolationFinding(
  { tier, by, reason }: IsolationReport,
  mode: IsolationMode,
): Finding {
  const check = 'plugin isolation';
  const isEnough = tier === 'namespaces' || (tier === 'landlock' && mode !== 'require');
  if (isEnough) return good(check, `${tier}: plugins run ${isolationWords({ tier, by })}.`);
  const what = `${tier}: plugins run without namespaces (${reason ?? 'because of --plugin-isolation'}).`;
  if (mode === 'process') return good(check, what);
  const remedy =
    'Install bubblewrap and allow user namespaces, or util-linux 2.41 or later, as docs/installing.md says.';
  return mode === 'require'
    ? bad(check, { what: `${what} With --plugin-isolation require no plugin starts.`, remedy })
    : hint(check, { what, remedy });
}
