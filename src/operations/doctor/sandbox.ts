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
import { joinTexts, quoted, type Text } from '../../platform/text.ts';
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
        good('sandbox', {
          english: 'A plugin host starts, and an endless loop in it can be stopped.',
          german: 'Ein Plugin-Host startet, und eine Endlosschleife darin lässt sich anhalten.',
        }),
        isolationFinding(await sandboxes.isolation(), mode),
      ];
    } finally {
      await sandboxes.stop();
    }
  } catch (error) {
    return [
      bad('sandbox', {
        what: quoted(error instanceof Error ? error.message : String(error)),
        remedy: {
          english:
            'Remove node_modules and start again with npm start, on a system that README.md names.',
          german:
            'Löschen Sie node_modules und starten Sie wieder mit npm start, auf einem System, das README.md nennt.',
        },
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
  const what: Text = {
    english: `${tier}: plugins run without namespaces (${reason ?? 'because of --plugin-isolation'}).`,
    german: `${tier}: Plugins laufen ohne Namespaces (${reason ?? 'wegen --plugin-isolation'}).`,
  };
  if (mode === 'process') return good(check, what);
  const remedy: Text = {
    english:
      'Install bubblewrap and allow user namespaces, or util-linux 2.41 or later, as docs/installing.md says.',
    german:
      'Installieren Sie bubblewrap und erlauben Sie Namespaces für Benutzer, oder util-linux 2.41 oder später, wie es docs/installing.md sagt.',
  };
  return mode === 'require'
    ? bad(check, {
        what: joinTexts([
          what,
          {
            english: 'With --plugin-isolation require no plugin starts.',
            german: 'Mit --plugin-isolation require startet kein Plugin.',
          },
        ]),
        remedy,
      })
    : hint(check, { what, remedy });
}

/** `by` = the program that isolates them. */
function isolatedText({ tier, by }: Pick<IsolationReport, 'tier' | 'by'>): Text {
  const program = by ?? '';
  return {
    english: `${tier}: plugins run ${isolationWords({ tier, by })}.`,
    german:
      tier === 'landlock'
        ? `${tier}: Plugins laufen hinter Landlock, gesetzt von ${program}.`
        : `${tier}: Plugins laufen in Namespaces, angelegt von ${program}.`,
  };
}
