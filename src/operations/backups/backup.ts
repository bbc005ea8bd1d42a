/** One file inside a backup. */
export interface BackupPart {
  /** `database.db` or `database.pgdump`, `vitrine.json`, `keys/<name>`, or `plugins/<path>`. */
  readonly path: string;
  readonly size: number;
  /** Lower-case hex. */
  readonly sha256: string;
}

/** The part with the keys under a passphrase. */
export const sealedKeysPath = 'keys/sealed.json';
/** The files with the keys of a server. */
export const keyFileNames = ['server.key', 'server-id.key'] as const;

/** Which keys of the server a backup holds: none, those as they are, or under a passphrase. */
export type BackupKeys = 'none' | 'plain' | { readonly passphrase: string };

/** The description of a backup; the first entry of the file. */
export interface BackupManifest {
  readonly format: 'vitrine-backup';
  readonly v: 1;
  readonly createdAt: string;
  readonly serverVersion: string;
  readonly label: string | null;
  readonly parts: readonly BackupPart[];
}

const nameForm = /^vitrine-(\d{8}T\d{9}Z)(?:-[a-z0-9]+(?:-[a-z0-9]+)*)?\.vbackup$/;

/**
 * Whether a file name is that of a backup; no other file of the folder is ever read, sent or
 * removed.
 */
export const isBackupName = (name: string): boolean => name.length <= 100 && nameForm.test(name);

/** When it was made, from its name; `null` = it is not the name of a backup. */
export function backupTime(name: string): number | null {
  const digits = nameForm.exec(name)?.[1]?.match(/\d+/g)?.join('');
  if (digits === undefined) return null;
  const [, ...parts] = /^(....)(..)(..)(..)(..)(..)(...)$/.exec(digits) ?? [];
  const [year, month, day, hour, minute, second, ms] = parts.map(Number);
  if (year === undefined || month === undefined) return null;
  return Date.UTC(year, month - 1, day, hour, minute, second, ms);
}

/** `vitrine-20261121T074453123Z-before-upgrade.vbackup`. */
export function backupName(atMs: number, label: string | null): string {
  const time = new Date(atMs).toISOString().replace(/[-:.]/g, '');
  const slug = label === null ? '' : `-${slugOf(label)}`;
  return `vitrine-${time}${slug}.vbackup`;
}

/** A label in a form for file names; empty = nothing is left. */
export const slugOf = (label: string): string =>
  label
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 40)
    .replace(/-+$/, '');

const keyFiles: ReadonlySet<string> = new Set([
  sealedKeysPath,
  ...keyFileNames.map((name) => `keys/${name}`),
]);
const segment = /^[A-Za-z0-9@_][A-Za-z0-9@._+-]{0,199}$/;

/** Whether it is the database: of SQLite, or of PostgreSQL as pg_dump writes it. */
export const isDatabasePath = (path: string): boolean =>
  path === 'database.db' || path === 'database.pgdump';

/** Whether a backup may contain this path; no other path of the data folder is ever written. */
export function isPartPath(path: string): boolean {
  if (isDatabasePath(path) || path === 'vitrine.json' || keyFiles.has(path)) return true;
  const [folder, ...rest] = path.split('/');
  return folder === 'plugins' && rest.length > 0 && rest.length <= 20 && rest.every(isSegment);
}

const isSegment = (text: string): boolean => segment.test(text);
