/** What admins are told when a backup was restored. */
import type { Notice } from '../../platform/notifications/index.ts';
import { causeText } from '../../platform/cause-text.ts';
import { joinTexts, quoted, say, type Text } from '../../platform/text.ts';

/** The rows that were carried over into the restored database, by label. */
export type Carried = readonly { readonly label: string; readonly names: readonly string[] }[];

/** `lastEntry` = the number of the last entry of the replaced audit log; `null` = it could not be read. */
export function restoredNotice(
  filename: string,
  carried: Carried,
  lastEntry: number | null,
): Notice {
  const log: Text =
    lastEntry === null
      ? say('backups.noReadableDatabaseRevocationsSince')
      : say('backups.auditLogContinuesReplacedOne', { lastEntry });
  const lines = carried.map(({ label, names }) =>
    say('backups.carried', { label: causeText(label), names: named(names) }),
  );
  return {
    level: 'warning',
    title: say('backups.backupRestored', { filename }),
    message: joinTexts([log, ...lines], '\n'),
    source: 'backups',
  };
}

const mostNamed = 20;

function named(names: readonly string[]): Text {
  const shown = names.slice(0, mostNamed).join(', ');
  const rest = names.length - mostNamed;
  return rest > 0 ? say('backups.namesAndMore', { names: shown, rest }) : quoted(shown);
}
