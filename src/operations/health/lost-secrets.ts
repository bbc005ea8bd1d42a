import type { FoundProblem } from '../../platform/problems/index.ts';
import { joinTexts, type Text } from '../../platform/text.ts';

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
    ...(isLicenseLost
      ? [{ english: 'The license is lost.', german: 'Die Lizenz ist verloren.' }]
      : []),
    ...(plugins.length > 0
      ? [
          {
            english: `Secrets of these plugins are lost: ${ofPlugins}.`,
            german: `Geheimnisse dieser Plugins sind verloren: ${ofPlugins}.`,
          },
        ]
      : []),
  ];
  return [
    {
      code: 'secrets_unreadable',
      subject: { type: 'file', id: 'server.key' },
      message: {
        english: 'The key of this server does not open the stored secrets.',
        german: 'Der Schlüssel dieses Servers öffnet die gespeicherten Geheimnisse nicht.',
      },
      detail: joinTexts([
        {
          english: 'They were sealed with another server.key.',
          german: 'Sie wurden mit einem anderen server.key versiegelt.',
        },
        ...lost,
      ]),
      action: {
        english:
          'Stop the server and put server.key and server-id.key of the earlier data folder back, from a backup with keys. Without them, enter the secrets again.',
        german:
          'Halten Sie den Server an und legen Sie server.key und server-id.key des früheren Datenordners zurück, aus einer Sicherung mit Schlüsseln. Ohne sie geben Sie die Geheimnisse noch einmal ein.',
      },
    },
  ];
}
