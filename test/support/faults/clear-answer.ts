/** What an answer of a server whose database fails may say. */

/** An answer as it came. */
export interface HeardAnswer {
  /** 0 = there was none. */
  readonly status: number;
  readonly text: string;
}

/**
 * What an answer said, as `200` or `503 storage_failed`; `null` = neither that it is done nor a clear
 * refusal. `may` are refusals that are right for what was asked.
 */
export function saidBy(
  { status, text }: HeardAnswer,
  may: readonly number[] = [409],
): string | null {
  if (speaksSql(text) || /sqlite_/i.test(text)) return null;
  if (status >= 200 && status < 300) return String(status);
  if (status === 0 || status === 500) return null;
  if (may.includes(status)) return String(status);
  const code = codeIn(text);
  return status > 500 && code !== null ? `${status} ${code}` : null;
}

/** Whether a text tells of the database what nobody outside of it should have to understand. */
export const speaksSql = (text: string): boolean =>
  /\bselect .* from |\binsert into |\bupdate .* set |\bdelete from /i.test(text);

function codeIn(text: string): string | null {
  try {
    const body: unknown = JSON.parse(text);
    if (typeof body !== 'object' || body === null || !('error' in body)) return null;
    return 'code' in body && typeof body.code === 'string' ? body.code : null;
  } catch {
    return null;
  }
}
