import type { FoundProblem } from '../../platform/problems/index.ts';

/** What the key of the server does not open. */
export interface LostSecrets {
  /** The plugins with such secrets. */
  readonly plugins: readonly string[];
  readonly isLicenseLost: boolean;
}

/** The problem of stored secrets that do not open, as after a restore without the keys. */
export function secretProblems({ plugins, isLicenseLost }: LostSecrets): readonly FoundProblem[] {
  const lost = [
    ...(isLicenseLost ? ['the license'] : []),
    ...(plugins.length > 0 ? [`secrets of the plugins ${plugins.join(', ')}`] : []),
  ];
  if (lost.length === 0) return [];
  return [
    {
      code: 'secrets_unreadable',
      subject: { type: 'file', id: 'server.key' },
      message: 'The key of this server does not open the stored secrets.',
      detail: `They were sealed with another server.key: ${lost.join(' and ')}.`,
      action:
        'Stop the server and put server.key and server-id.key of the earlier data folder back, from a backup with keys. Without them, enter the secrets again.',
    },
  ];
}
