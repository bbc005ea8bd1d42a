/** A backup that cannot be made or used; the message says why, and nothing was changed. */
export class BackupError extends Error {}
