import type { FoundProblem } from '../../platform/problems/index.ts';
import { joinTexts, type Text, say } from '../../platform/text.ts';

/** What the key of the server does not open. */
export interface LostSecrets {
  /** The plugins with such secrets. */
  readonly plugins: readonly string[];
  readonly isLicenseLost: boolean;
}

/** The problem of stored secrets that do not open, as after a restore without the keys. */
export function secretProblems({ plugins, isLicenseLost }: LostSecrets): readonly FoundProblem[] {
  if (!isLicenseLost && plugins.length === 0) return [];
  const ofPlugins = plugins.join(', ');
  const lost: readonly Text[] = [
    ...(isLicenseLost ? [say('secrets.licenseLost')] : []),
    ...(plugins.length > 0 ? [say('secrets.secretsThesePluginsLost', { ofPlugins })] : []),
  ];
  return [
    {
      code: 'secrets_unreadable',
      subject: { type: 'file', id: 'server.key' },
      message: say('secrets.keyServerDoesNotOpen'),
      detail: joinTexts([say('secrets.theySealedAnotherServerKey'), ...lost]),
      action: say('secrets.stopServerPutServerKey'),
    },
  ];
}
