/** The problems of plugins: those that were given up, fail often, or wait for permissions. */
import type { FailingPlugin, Plugins } from '../../../kernel/plugins/index.ts';
import type { Clock } from '../../platform/clock.ts';
import { sentence, type FoundProblem, type ProblemCode } from '../../platform/problems/index.ts';
import { causeText } from '../../platform/cause-text.ts';

/** The dependencies. */
export interface PluginProblemsParts {
  readonly plugins: Pick<Plugins, 'registry' | 'installs' | 'usage'>;
  /** Whether every plugin has started or failed since the server started. */
  readonly isBooted: () => boolean;
  readonly report: (codes: readonly ProblemCode[], found: readonly FoundProblem[]) => void;
  readonly clock: Pick<Clock, 'now'>;
}

/** The problems of plugins. */
export interface PluginProblems {
  readonly look: () => void;
  /** A plugin begins to fail often; that is over when it did not fail for as long. */
  readonly failsOften: (failing: FailingPlugin) => void;
}

const codes = ['plugin_given_up', 'plugin_failing', 'permissions_pending'] as const;
const minuteMs = 60_000;

/** Creates the check. */
export function createPluginProblems(parts: PluginProblemsParts): PluginProblems {
  const { registry, installs, usage } = parts.plugins;
  const failing = new Map<string, FailingPlugin>();

  function givenUp(): readonly FoundProblem[] {
    return registry
      .list({})
      .filter(
        ({ id, enabled, state, version }) =>
          // A version that is rolled back has a notification of its own.
          enabled && state === 'failed' && !installs.isProvisional(id, version),
      )
      .map(({ id, name, type, errorMessage }) => ({
        code: 'plugin_given_up',
        severity: type === 'builtin' ? 'error' : 'warning',
        subject: { type: 'plugin', id },
        message: {
          english: `The plugin ${name} failed and was stopped.`,
          german: `Das Plugin ${name} ist gescheitert und wurde angehalten.`,
        },
        detail:
          errorMessage === null
            ? { english: 'No reason was given.', german: 'Es wurde kein Grund genannt.' }
            : causeText(errorMessage),
        action: {
          english: 'Its log says more; restart it when the cause is fixed.',
          german: 'Sein Protokoll sagt mehr; starten Sie es neu, wenn die Ursache behoben ist.',
        },
        quotes: id,
      }));
  }

  function oftenFailing(): readonly FoundProblem[] {
    for (const [id, { minutes }] of failing) if (isCalm(id, minutes)) failing.delete(id);
    return [...failing.values()].map(({ pluginId, name, count, minutes, last }) => ({
      code: 'plugin_failing',
      subject: { type: 'plugin', id: pluginId },
      message: {
        english: `The plugin ${name} fails often.`,
        german: `Das Plugin ${name} scheitert oft.`,
      },
      detail: {
        english: `${count} failures in ${minutes} minutes; the last one was ${last.handler}: ${sentence(last.message)}`,
        german: `${count} Fehler in ${minutes} Minuten; der letzte war ${last.handler}: ${causeText(sentence(last.message)).german}`,
      },
      action: {
        english: 'Its page under Manage, Plugins has all of them.',
        german: 'Seine Seite unter Verwalten, Plugins hat sie alle.',
      },
      quotes: pluginId,
    }));
  }

  function isCalm(id: string, minutes: number): boolean {
    if (!registry.has(id)) return true;
    const [latest] = usage.of(id).failures.handlers;
    return (
      latest === undefined || Date.parse(latest.lastAt) < parts.clock.now() - minutes * minuteMs
    );
  }

  const pending = (): readonly FoundProblem[] =>
    registry
      .skipped()
      // An admin decides freely whether a built-in may look things up on the internet.
      .filter(({ reason, id }) => reason === 'permissions-pending' && !registry.isOwn(id))
      .map(({ id, name }) => ({
        code: 'permissions_pending',
        subject: { type: 'plugin', id },
        message: {
          english: `The plugin ${name} waits for permissions.`,
          german: `Das Plugin ${name} wartet auf Rechte.`,
        },
        action: {
          english:
            'Its page under Manage, Plugins lists what it asks for, with reasons; it runs as soon as that is granted.',
          german:
            'Seine Seite unter Verwalten, Plugins zählt auf, was es verlangt, mit Gründen; es läuft, sobald das erteilt ist.',
        },
      }));

  /** While plugins start, those that failed before are not known to work. */
  function look(): void {
    if (parts.isBooted()) parts.report(codes, [...givenUp(), ...oftenFailing(), ...pending()]);
  }

  return {
    look,
    failsOften: (one) => {
      failing.set(one.pluginId, one);
      look();
    },
  };
}
