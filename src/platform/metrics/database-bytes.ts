import { stat } from 'node:fs/promises';

/**
 * Bytes of the database file and SQLite's files beside it; `null` = the database is on another
 * server.
 */
export async function databaseBytes(url: string): Promise<number | null> {
  if (!url.startsWith('sqlite:')) return null;
  const file = url.slice('sqlite:'.length);
  const sizes = await Promise.all(
    ['', '-wal', '-shm'].map((end) =>
      stat(`${file}${end}`).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}
