/** The problems of plugins: those that were given up, fail often, or wait for permissions. */
import type { FailingPlugin, Plugins } from '../../../kernel/run/index.ts';
import type { Clock } from '../../platform/clock.ts';
import { sentence, type FoundProblem, type ProblemCode } from '../../platform/problems/index.ts';
import { causeText } from '../../platform/cause-text.ts';
import { say } from '../../platform/text.ts';

export interface PluginProblemsParts {
  readonly plugins: Pick<Plugins, 'registry' | 'installs' | 'usage'>;
  /** Whether every plugin has started or failed since the server started. */
  readonly isBooted: () => boolean;
  readonly report: (codes: readonly ProblemCode[], found: readonly FoundProblem[]) => void;
  readonly clock: Pick<Clock, 'now'>;
}

export type PluginProblems = ReturnType<typeof createPluginProblems>;

const codes = ['plugin_given_up', 'plugin_failing', 'permissions_pending'] as const;
const minuteMs = 60_000;

/** Creates the check. */
export function createPluginProblems(parts: PluginProblemsParts) {
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
        message: say('plugins.pluginFailedStopped', { name }),
        detail: errorMessage === null ? say('plugins.noReasonGiven') : causeText(errorMessage),
        action: say('plugins.logSaysMoreRestartWhen'),
        quotes: id,
      }));
  }

  function oftenFailing(): readonly FoundProblem[] {
    for (const [id, { minutes }] of failing) if (isCalm(id, minutes)) failing.delete(id);
    return [...failing.values()].map(({ pluginId, name, count, minutes, last }) => ({
      code: 'plugin_failing',
      subject: { type: 'plugin', id: pluginId },
      message: say('plugins.pluginFailsOften', { name }),
      detail: say('plugins.failures', {
        count,
        minutes,
        handler: last.handler,
        cause: causeText(sentence(last.message)),
      }),
      action: say('plugins.pageUnderManagePluginsAll'),
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
        message: say('plugins.pluginWaitsPermissions', { name }),
        action: say('plugins.pageUnderManagePluginsLists'),
      }));

  /** While plugins start, those that failed before are not known to work. */
  function look(): void {
    if (parts.isBooted()) parts.report(codes, [...givenUp(), ...oftenFailing(), ...pending()]);
  }

  return {
    look,
    /** A plugin begins to fail often; that is over when it did not fail for as long. */
    failsOften: (one: FailingPlugin): void => {
      failing.set(one.pluginId, one);
      look();
    },
  };
}
