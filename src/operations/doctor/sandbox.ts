/** Checks whether plugins can run: starts a plugin host, tests its engine, and stops it. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { silentLog } from '../../../kernel/index.ts';
import {
  createSandboxes,
  type IsolationMode,
  type IsolationReport,
} from '../../../kernel/run/sandbox/index.ts';
import { joinTexts, quoted, type Text, say } from '../../platform/text.ts';
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
        good('sandbox', say('doctor.pluginHostStartsEndlessLoop')),
        isolationFinding(await sandboxes.isolation(), mode),
      ];
    } finally {
      await sandboxes.stop();
    }
  } catch (error) {
    return [
      bad('sandbox', {
        what: quoted(error instanceof Error ? error.message : String(error)),
        remedy: say('doctor.removeNodeModulesStartAgain'),
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
  if (isEnough) return good(check, isolatedText({ tier, by }));
  const why = reason ?? say('doctor.becauseOfPluginIsolation');
  const what = say('doctor.pluginsWithoutNamespaces', { tier, why });
  if (mode === 'process') return good(check, what);
  const remedy: Text = say('doctor.installBubblewrapForPlugins');
  return mode === 'require'
    ? bad(check, {
        what: joinTexts([what, say('doctor.pluginIsolationRequireNoPlugin')]),
        remedy,
      })
    : hint(check, { what, remedy });
}

/** `by` = the program that isolates them. */
function isolatedText({ tier, by }: Pick<IsolationReport, 'tier' | 'by'>): Text {
  const program = by ?? '';
  return tier === 'landlock'
    ? say('doctor.pluginsBehindLandlock', { tier, program })
    : say('doctor.pluginsInNamespaces', { tier, program });
}
