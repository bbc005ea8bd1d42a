import type { Reach } from '../../call/reach.ts';
import type { PowerLog } from '../usage/power-log.ts';
import { reachesSecret } from './secret.ts';
import type { Secrets } from './secrets.ts';

/** What this needs of a plugin. */
export interface SecretUser {
  readonly reach: Reach;
  readonly meter: { readonly powers: Pick<PowerLog, 'note'> };
}

/** The secrets, where each use counts: one that is sent in a header is not named by any call. */
export function countedSecrets(
  secrets: Secrets,
  find: (id: string) => SecretUser | undefined,
): Secrets {
  return {
    ...secrets,
    open: (id, name) => {
      const use = { call: 'secrets.send', subject: name.name, need: { name: 'secrets' } as const };
      const plugin = find(id);
      plugin?.meter.powers.note(use);
      // A secret of a library is only for plugins that were granted the library.
      if (plugin && !reachesSecret(plugin.reach, name)) return Promise.resolve(null);
      return secrets.open(id, name);
    },
  };
}
