/**
 * Events between their emission and their write to the database. A line is written before `append`
 * returns, so an emitted event survives a killed server: the operating system has the data. Only a
 * power cut may lose what the system has not written to the disk yet.
 *
 * The first line names the journal; each other line is a number, an id and an envelope. The
 * database stores up to which number it has the events of which journal, so recovery adds nothing
 * twice. An incomplete last line was never acknowledged and is dropped.
 */
import {
  closeSync,
  existsSync,
  ftruncateSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';

export interface JournalLine {
  /** Counts up from 1 in a journal. */
  readonly no: number;
  readonly id: string;
  /** The envelope. */
  readonly json: string;
}

/** The journal of one run of the server. The file is created with the first line. */
export type Journal = ReturnType<typeof createJournal>;

const head = 'vitrine-events-1';
/** A smaller file is not rewritten. */
const wornBytes = 4 * 1024 * 1024;

/** The journal of an earlier run; `null` = there is none. */
export function readJournal(
  file: string,
): { readonly id: string; readonly lines: readonly JournalLine[] } | null {
  if (!existsSync(file)) return null;
  const [first = '', ...rest] = readFileSync(file, 'utf8').split('\n');
  const [name, id = ''] = first.split(' ');
  if (name !== head || id === '') return null;
  // After the last line break there is an incomplete line, or nothing.
  return { id, lines: rest.slice(0, -1).flatMap((line) => parseLine(line) ?? []) };
}

/** Removes the journal of an earlier run. */
export const removeJournal = (file: string): void => rmSync(file, { force: true });

function parseLine(text: string): JournalLine | null {
  const [, no = '', id = '', json = ''] = /^(\d{1,15}) (\S{1,100}) (\{.*\})$/s.exec(text) ?? [];
  return json === '' ? null : { no: Number(no), id, json };
}

const lineOf = ({ no, id, json }: JournalLine): string => `${no} ${id} ${json}\n`;

/** Creates a journal; an earlier one must have been read and removed. */
export function createJournal(file: string, id: string) {
  const firstLine = `${head} ${id}\n`;
  let descriptor: number | undefined;
  let size = 0;
  let last = 0;

  function write(text: string): void {
    descriptor ??= openSync(file, 'a', 0o600);
    const before = size;
    const bytes = Buffer.from(text);
    const written = writeSync(descriptor, bytes);
    if (written === bytes.length) {
      size += written;
      return;
    }
    // Half a line would corrupt the next one.
    ftruncateSync(descriptor, before);
    throw new Error('A line of the event journal could not be written completely.');
  }

  function rewrite(lines: readonly JournalLine[]): void {
    const text = firstLine + lines.map(lineOf).join('');
    writeFileSync(`${file}.new`, text, { mode: 0o600 });
    renameSync(`${file}.new`, file);
    if (descriptor !== undefined) closeSync(descriptor);
    descriptor = openSync(file, 'a', 0o600);
    size = Buffer.byteLength(text);
  }

  return {
    id,
    /** Writes before it returns; throws when the write fails. Gives the number of the line. */
    append: (eventId: string, json: string): number => {
      if (size === 0) write(firstLine);
      write(lineOf({ no: last + 1, id: eventId, json }));
      last += 1;
      return last;
    },
    /** The database has all lines except these: shrinks the file accordingly. */
    settle: (left: readonly JournalLine[]): void => {
      if (descriptor === undefined || size === 0) return;
      if (left.length === 0) {
        ftruncateSync(descriptor, 0);
        size = 0;
      } else if (size > wornBytes) rewrite(left);
    },
    /** Whether anything was written to it. */
    isUsed: (): boolean => last > 0,
    /** Closes the file, which stays. */
    close: (): void => {
      if (descriptor !== undefined) closeSync(descriptor);
      descriptor = undefined;
    },
  };
}
