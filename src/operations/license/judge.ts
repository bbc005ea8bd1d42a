import type { CallPlugin, Log } from '../../../kernel/index.ts';
import type { LicenseClaims, LicenseState, LicenseVerdict } from '../../../plugin-api/index.ts';
import { parseVerdict, withinClaims } from './license.ts';

/** The plugin with the capability `license`, which decides what the license allows. */
export type Judge = ReturnType<typeof createJudge>;

export interface JudgeParts {
  readonly call: CallPlugin;
  readonly provider: (capability: 'license') => string | undefined;
  readonly log: Log;
}

const timeoutMs = 2000;

/** Creates the judge. The plugin gets claims and dates, never a license key. */
export function createJudge({ call, provider, log }: JudgeParts) {
  return {
    /** The plugin's verdict, limited to the signed claims; `null` when there is none now. */
    ask: async (
      method: 'license.activate' | 'license.status',
      state: LicenseState,
    ): Promise<LicenseVerdict | null> => {
      const pluginId = provider('license');
      if (pluginId === undefined) return null;
      try {
        const verdict = parseVerdict(await call(pluginId, method, state, { timeoutMs }));
        if (verdict !== null) return withinClaims(verdict, state.claims);
        log.warn({ pluginId, method }, 'A plugin returned a malformed verdict on the license.');
      } catch (error) {
        log.warn(
          { pluginId, method, err: error },
          'A plugin failed to give a verdict on the license.',
        );
      }
      return null;
    },
    /** Tells the plugin that the license was removed. */
    dismiss: async (claims: LicenseClaims): Promise<void> => {
      const pluginId = provider('license');
      if (pluginId === undefined) return;
      await call(pluginId, 'license.deactivate', { claims }, { timeoutMs }).catch(
        (error: unknown) => {
          log.debug(
            { pluginId, err: error },
            'A plugin could not be told that the license was removed.',
          );
        },
      );
    },
  };
}
