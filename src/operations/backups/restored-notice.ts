/** What admins are told when a backup was restored. */
import type { Notice } from '../../platform/notifications/index.ts';
import { joinTexts, type Text } from '../../platform/text.ts';

/** The rows that were carried over into the restored database, by label. */
export type Carried = readonly { readonly label: string; readonly names: readonly string[] }[];

/** The labels of what a restore carries over, in German. */
export const germanLabels: Readonly<Record<string, string>> = {
  'Sessions that ended': 'Sitzungen, die endeten',
  'Profiles that ask for their PIN again': 'Profile, die wieder nach ihrer PIN fragen',
  'Users with their latest password, role and access; removed ones are disabled':
    'Benutzer mit ihrem letzten Passwort, ihrer Rolle und ihrem Zugang; entfernte sind ausgeschaltet',
  'Groups with their latest access': 'Gruppen mit ihrem letzten Zugang',
  'Profiles with their latest PIN and access': 'Profile mit ihrer letzten PIN und ihrem Zugang',
  'API keys that stay removed': 'API-Schlüssel, die entfernt bleiben',
  'Passkeys that stay removed, or were added since':
    'Passkeys, die entfernt bleiben oder seither dazukamen',
  'Invites that stay used or removed': 'Einladungen, die verbraucht oder entfernt bleiben',
  'The latest admins, because the backup has none who can sign in':
    'Die letzten Verwalter, da sich keiner aus der Sicherung anmelden kann',
  'Sessions of identities that ended': 'Sitzungen von Identitäten, die endeten',
  'Identities that stay unlinked, or keep their latest key':
    'Identitäten, die getrennt bleiben oder ihren letzten Schlüssel behalten',
  'Replaced keys of identities': 'Ersetzte Schlüssel von Identitäten',
  'Devices of identities that stay revoked': 'Geräte von Identitäten, die gesperrt bleiben',
  'Plugins that stay disabled, or may do less':
    'Plugins, die ausgeschaltet bleiben oder weniger dürfen',
  'Parts of the server with the provider of just before':
    'Teile des Servers mit dem Anbieter von zuletzt',
  'Plugins whose package stays revoked': 'Plugins, deren Paket widerrufen bleibt',
  'Marketplace sources that stay removed, or have the newer index':
    'Quellen des Marktplatzes, die entfernt bleiben oder das neuere Verzeichnis haben',
  'Marketplace indexes with a later known sequence':
    'Verzeichnisse des Marktplatzes mit einer späteren bekannten Nummer',
  'Revocations of marketplace sources': 'Widerrufe von Quellen des Marktplatzes',
  'Replaced keys of publishers': 'Ersetzte Schlüssel von Herausgebern',
  'Libraries that stay hidden': 'Bibliotheken, die verborgen bleiben',
};

/** `lastEntry` = the number of the last entry of the replaced audit log; `null` = it could not be read. */
export function restoredNotice(
  filename: string,
  carried: Carried,
  lastEntry: number | null,
): Notice {
  const log: Text =
    lastEntry === null
      ? {
          english: 'There was no readable database: revocations since the backup are lost.',
          german: 'Es gab keine lesbare Datenbank: Widerrufe seit der Sicherung sind verloren.',
        }
      : {
          english: `The audit log continues: the replaced one ended at entry ${lastEntry}.`,
          german: `Das Prüfprotokoll geht weiter: Das ersetzte endete mit dem Eintrag ${lastEntry}.`,
        };
  const lines = carried.map(({ label, names }): Text => ({
    english: `${label}: ${named(names, 'and', 'more')}.`,
    german: `${germanLabels[label] ?? label}: ${named(names, 'und', 'weitere')}.`,
  }));
  return {
    level: 'warning',
    title: {
      english: `The backup ${filename} was restored`,
      german: `Die Sicherung ${filename} wurde wiederhergestellt`,
    },
    message: joinTexts([log, ...lines], '\n'),
    source: 'backups',
  };
}

const mostNamed = 20;

const named = (names: readonly string[], and: string, more: string): string =>
  names.length > mostNamed
    ? `${names.slice(0, mostNamed).join(', ')} ${and} ${names.length - mostNamed} ${more}`
    : names.join(', ');
