import type { CallPlugin, Log } from '../../kernel/index.ts';
import type { LicenseClaims, LicenseState, LicenseVerdict } from '../../plugin-api/index.ts';
import { parseVerdict, withinClaims } from './license.ts';

/** Who says what the license allows: the plugin with the capability `license`. */
export interface Judge {
  /** Its verdict, within what the issuer signed; `null` when nobody gives one now. */
  readonly ask: (
    method: 'license.activate' | 'license.status',
    state: LicenseState,
  ) => Promise<LicenseVerdict | null>;
  /** Tells it that the license is gone. */
  readonly dismiss: (claims: LicenseClaims) => Promise<void>;
}

/** What a judge is found with. */
export interface JudgeParts {
  readonly call: CallPlugin;
  readonly provider: (capability: 'license') => string | undefined;
  readonly log: Log;
}

const timeoutMs = 2000;

/** Creates the judge. It sees claims and dates, never a license key. */
export function createJudge({ call, provider, log }: JudgeParts): Judge {
  return {
    ask: async (method, state) => {
      const pluginId = provider('license');
      if (pluginId === undefined) return null;
      try {
        const verdict = parseVerdict(await call(pluginId, method, state, { timeoutMs }));
        if (verdict !== null) return withinClaims(verdict, state.claims);
        log.warn({ pluginId, method }, 'A plugin gave no verdict on the license that makes sense.');
      } catch (error) {
        log.warn({ pluginId, method, err: error }, 'A plugin gave no verdict on the license.');
      }
      return null;
    },
    dismiss: async (claims) => {
      const pluginId = provider('license');
      if (pluginId === undefined) return;
      await call(pluginId, 'license.deactivate', { claims }, { timeoutMs }).catch(
        (error: unknown) => {
          log.debug({ pluginId, err: error }, 'A plugin did not hear that the license is gone.');
        },
      );
    },
  };
}
