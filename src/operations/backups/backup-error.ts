/** A backup that cannot be created or used. The message gives the reason; nothing was changed. */
export class BackupError extends Error {}
