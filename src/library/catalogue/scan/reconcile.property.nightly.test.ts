import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Database } from '../../../../kernel/store/index.ts';
import type { JobRunResult, LibraryChange, ScannedFile } from '../../../../plugin-api/index.ts';
import { openTestLibrary, type TestLibrary } from '../../../../test/support/library/library.ts';
import {
  bringIn,
  knownPages,
  marksOf,
  shortened,
  type KnownPage,
} from '../../../../test/support/library/short-pages.ts';
import { settleWaiting } from '../../../../test/support/library/settle-waiting.ts';
import { serverViewer } from '../../../people/viewer/index.ts';
import { systemClock } from '../../../platform/clock.ts';
import type { LibraryFile } from '../../../contract/resources/library/catalogue.ts';

const root = 'file:///m';

/** A change of the disk. Numbers pick one of the existing files or folders. */
type Mutation =
  | { readonly kind: 'add'; readonly folder: number; readonly size: number }
  | { readonly kind: 'remove' | 'touch' | 'addBeside'; readonly file: number }
  | { readonly kind: 'move' | 'moveTouched'; readonly file: number; readonly folder: number }
  | { readonly kind: 'renameFolder'; readonly file: number; readonly folder: number };

/** The events at one page of a scan. */
interface Step {
  readonly files: number;
  readonly mutation: Mutation | null;
  /** Whether a known page comes without its unchanged files. */
  readonly isShort: boolean;
  /** `lost` = the transaction is rolled back; `forgotten` = it holds, and the page is sent again. */
  readonly crash: 'none' | 'lost' | 'forgotten';
}

const mutation: fc.Arbitrary<Mutation> = fc.oneof(
  fc.record({ kind: fc.constant('add' as const), folder: fc.nat(5), size: fc.nat(3) }),
  fc.record({
    kind: fc.constantFrom('remove' as const, 'touch' as const, 'addBeside' as const),
    file: fc.nat(30),
  }),
  fc.record({
    kind: fc.constantFrom('move' as const, 'moveTouched' as const),
    file: fc.nat(30),
    folder: fc.nat(7),
  }),
  fc.record({ kind: fc.constant('renameFolder' as const), file: fc.nat(30), folder: fc.nat(7) }),
);

const scan = fc.record({
  before: fc.array(mutation, { maxLength: 12 }),
  /** A folder that is looked at alone before the whole scan. */
  alone: fc.option(fc.nat(7), { freq: 2 }),
  /** Whether its files are ingested afterwards, and missing ones deleted. */
  isIngested: fc.boolean(),
  isSwept: fc.boolean(),
  steps: fc.array(
    fc.record({
      files: fc.integer({ min: 1, max: 6 }),
      isShort: fc.boolean(),
      mutation: fc.option(mutation, { freq: 4 }),
      crash: fc.constantFrom(
        'none' as const,
        'none' as const,
        'lost' as const,
        'forgotten' as const,
      ),
    }),
    { minLength: 1, maxLength: 12 },
  ),
});

interface DiskFile {
  size: number;
  modifiedAt: number;
  content: number;
  readonly type: 'media' | 'auxiliary';
}

/** A disk in memory: folders of files, each with a mark that stays with its content. */
class Disk {
  readonly #files = new Map<string, DiskFile>();
  readonly #hasUniqueTraces: boolean;
  #next = 1;

  constructor(hasUniqueTraces: boolean) {
    this.#hasUniqueTraces = hasUniqueTraces;
  }

  mutate(change: Mutation): void {
    if (change.kind === 'add') {
      const content = this.#next++;
      const [size, modifiedAt] = this.#hasUniqueTraces ? [content, 5] : [change.size, 5];
      this.#files.set(this.#fresh(change.folder), { size, modifiedAt, content, type: 'media' });
      return;
    }
    const path = [...this.#files.keys()].sort()[change.file % Math.max(1, this.#files.size)];
    const file = path === undefined ? undefined : this.#files.get(path);
    if (path === undefined || file === undefined) return;
    if (change.kind === 'touch') {
      file.modifiedAt += 1000 + this.#next;
      return;
    }
    if (change.kind === 'addBeside') {
      const content = this.#next++;
      const beside = { size: content, modifiedAt: 5, content, type: 'auxiliary' as const };
      const stem = path.slice(0, path.lastIndexOf('.'));
      this.#files.set(
        content % 3 === 0 ? `${stem}-${content}.jpg` : `${stem}.${content}.srt`,
        beside,
      );
      return;
    }
    if (change.kind === 'renameFolder') {
      const folder = path.slice(0, path.indexOf('/'));
      const name = `${letters[change.folder] ?? 'a'}${this.#next++}`;
      for (const [other, found] of [...this.#files])
        if (other.startsWith(`${folder}/`)) {
          this.#files.delete(other);
          this.#files.set(`${name}${other.slice(folder.length)}`, found);
        }
      return;
    }
    this.#files.delete(path);
    if (!('folder' in change) || file.type === 'auxiliary') return;
    if (change.kind === 'moveTouched') file.modifiedAt += 1000 + this.#next;
    this.#files.set(this.#fresh(change.folder), file);
  }

  /** Every file, ascending by URI. */
  everything(): readonly (ScannedFile & DiskFile)[] {
    return [...this.#files]
      .map(([path, file]) => ({ uri: `${root}/${path}`, ...file }))
      .sort((a, b) => (a.uri < b.uri ? -1 : 1));
  }

  /** Every media file, ascending by URI. */
  list(): readonly (ScannedFile & DiskFile)[] {
    return this.everything().filter(({ type }) => type === 'media');
  }

  /** Fingerprints, as the disk computes them. */
  fingerprints(uris: readonly string[]): ReadonlyMap<string, string> {
    const contents = new Map(this.list().map(({ uri, content }) => [uri, content]));
    return new Map(
      uris.flatMap((uri) => {
        const content = contents.get(uri);
        return content === undefined ? [] : [[uri, content.toString(16).padStart(32, '0')]];
      }),
    );
  }

  /** A name that was never used: a file at a known URI is that file, even with other content. */
  #fresh(folder: number): string {
    return `${letters[folder] ?? 'a'}/${this.#next++}.mkv`;
  }
}

const letters = ['b', 'd', 'f', 'h', 'k', 'm', 'a', 'z'];

/** A database whose transactions can be made to fail at their very end, as a crash would. */
function createFaulty(): { wrap: (database: Database) => Database; fail: (isOn: boolean) => void } {
  let isFailing = false;
  return {
    fail: (isOn) => {
      isFailing = isOn;
    },
    wrap: (database) => ({
      ...database,
      write: (work, committed) =>
        database.write(async (trx) => {
          const result = await work(trx);
          if (isFailing) throw new Error('cut off');
          return result;
        }, committed),
    }),
  };
}

describe('after any changes of the disk and failures of the server during scans', () => {
  for (const hasUniqueTraces of [true, false]) {
    const about = hasUniqueTraces ? 'and every file keeps its id' : 'also of files that look alike';
    test(`a last scan ends with exactly the right items, ${about}`, async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(scan, { minLength: 1, maxLength: 4 }), async (scans) => {
          await checkScans(scans, hasUniqueTraces);
        }),
        { numRuns: 30 },
      );
    }, 120_000);
  }
});

interface PlannedScan {
  readonly before: readonly Mutation[];
  readonly alone: number | null;
  readonly isIngested: boolean;
  readonly isSwept: boolean;
  readonly steps: readonly Step[];
}

async function checkScans(scans: readonly PlannedScan[], hasUniqueTraces: boolean): Promise<void> {
  const faulty = createFaulty();
  let time = 1_000_000;
  const disk = new Disk(hasUniqueTraces);
  const library = await openTestLibrary(
    {
      now: () => time++,
      clock: { ...systemClock, now: () => time++ },
      missingDays: 0,
      fingerprints: async (uris) => disk.fingerprints(uris),
      scanner: { step: async (_job, walk) => walkedTo(walk) },
    },
    faulty.wrap,
  );
  try {
    const { id } = await library.libraries.create({ name: 'M', type: 'movies', roots: [root] });
    const index = new Map<string, string>();
    const ids = new Map<number, string>();
    const follow = createFollower(library, index);
    for (const { before, alone, isIngested, isSwept, steps } of scans) {
      for (const change of before) disk.mutate(change);
      if (alone !== null) await lookAt(library, id, disk, `${root}/${letters[alone] ?? 'a'}`);
      await runScan(library, id, disk, hasUniqueTraces ? steps.map(staying) : steps, faulty.fail);
      if (isIngested) await ingest(library, disk);
      if (isSwept) await library.missingUpkeep.sweep();
      await follow();
    }
    await runScan(library, id, disk, [], faulty.fail);
    await follow();
    await assertRight(library, id, disk, index);
    await library.missingUpkeep.sweep();
    await assertRight(library, id, disk, index);
    expect(await library.storage.database.read('files').where('status', 'missing')).toEqual([]);
    expect(await library.storage.database.read('items').where('status', 'missing')).toEqual([]);

    const files = await filesOf(library);
    if (!hasUniqueTraces) return;
    await ingest(library, disk);
    const contents = new Map(disk.list().map(({ uri, content }) => [uri, content]));
    for (const { uri, id: fileId } of files) ids.set(contents.get(uri) ?? 0, fileId);
    for (const folder of [1, 6, 3]) {
      disk.mutate({ kind: 'renameFolder', file: folder, folder: 7 - folder });
      disk.mutate({ kind: 'moveTouched', file: folder, folder });
    }
    const quiet = (scans[0]?.steps ?? []).map((step) => ({ ...step, mutation: null }));
    await runScan(library, id, disk, quiet, faulty.fail);
    await runScan(library, id, disk, [], faulty.fail);
    await follow();
    await assertRight(library, id, disk, index);
    for (const { uri, id: fileId } of await filesOf(library)) {
      const content = disk.list().find((file) => file.uri === uri)?.content ?? 0;
      if (ids.has(content)) expect(fileId).toBe(ids.get(content));
    }
  } finally {
    await library.close();
  }
}

/** Scans one folder, as a scan of some folders does. */
async function lookAt(
  library: TestLibrary,
  libraryId: string,
  disk: Disk,
  folder: string,
): Promise<void> {
  const files = disk.everything().filter(({ uri }) => uri.startsWith(`${folder}/`));
  const page = { libraryId, root: folder, after: null, through: null, unreadable: [] };
  await library.reconcile({ ...page, files: files.map(toScanned) });
}

/** Stores fingerprints, as an ingest does. */
async function ingest(library: TestLibrary, disk: Disk): Promise<void> {
  const { read, write } = library.storage.database;
  const rows = await read('files')
    .where({ type: 'media', status: 'active' })
    .select<{ no: number; uri: string }[]>('no', 'uri');
  const made = disk.fingerprints(rows.map(({ uri }) => uri));
  await write(async (trx) => {
    for (const { no, uri } of rows)
      await trx('files')
        .where({ no })
        .update({ fingerprint: made.get(uri) ?? null });
  });
}

function toScanned({ uri, size, modifiedAt, type }: ScannedFile): ScannedFile {
  return { uri, size, modifiedAt, ...(type === 'auxiliary' && { type }) };
}

const moveKinds: ReadonlySet<string | undefined> = new Set(['move', 'moveTouched', 'renameFolder']);

/** A file that moves behind the back of a scan is seen at both places: two files, as far as it knows. */
function staying(step: Step): Step {
  const moves = moveKinds.has(step.mutation?.kind);
  return moves ? { ...step, mutation: null } : step;
}

/** A scan that takes its steps page by page, then walks to the end, as its job would. */
async function runScan(
  library: TestLibrary,
  libraryId: string,
  disk: Disk,
  steps: readonly Step[],
  fail: (isOn: boolean) => void,
): Promise<void> {
  const job = { id: 'job', type: 'scan', libraryId, payload: {} } as never;
  const { signal } = new AbortController();
  const begun = await library.scans.step(job, null, signal);
  let after: string | null = null;
  const waiting = [...steps];
  for (;;) {
    const { files: size, mutation: change, crash, isShort } = waiting.shift() ?? lastSteps;
    const rest = disk.everything().filter(({ uri }) => after === null || uri > after);
    const pages: readonly KnownPage[] = isShort
      ? await knownPages(library, { libraryId, root, after })
      : [];
    const known = pages.find((page) => page.after === after);
    const through: string | null =
      known?.through ?? (known || rest.length <= size ? null : (rest[size - 1]?.uri ?? null));
    const files = rest.filter(({ uri }) => through === null || uri <= through).map(toScanned);
    const whole = { libraryId, root, after, through, files, unreadable: [], ...marksOf(files) };
    const page = known ? shortened(whole, known) : whole;
    fail(crash === 'lost');
    const isDone = await bringIn(library, page, whole).then(
      () => true,
      () => false,
    );
    fail(false);
    if (crash === 'forgotten') expect((await bringIn(library, page, whole)).added).toBe(0);
    if (change) disk.mutate(change);
    if (!isDone) continue;
    if (through === null) break;
    after = through;
  }
  if (!begun.done) await library.scans.step(job, begun.checkpoint, signal);
}

/** The scanner of this test: its first step begins, and its second one says that it is done. */
function walkedTo(walk: unknown): JobRunResult {
  return walk === null ? { done: false, checkpoint: 'begun', progress: 0 } : { done: true };
}

const lastSteps: Step = { files: 4, mutation: null, isShort: true, crash: 'none' };

/** Keeps an index by the change feed alone, as a search plugin does. */
function createFollower(library: TestLibrary, index: Map<string, string>): () => Promise<void> {
  let at = 0;
  const run = library.service.methods['changes']?.run as (
    input: object,
    caller: object,
  ) => Promise<string>;
  return async () => {
    for (;;) {
      const answer = JSON.parse(
        await run({ seq: at, limit: 3 }, { reach: 'all', viewer: null }),
      ) as {
        changes: readonly LibraryChange[];
        seq: number;
        done: boolean;
      };
      for (const change of answer.changes) {
        if (change.kind === 'removed') index.delete(change.itemId);
        else if (change.kind === 'present') index.set(change.item.id, change.item.title);
      }
      at = answer.seq;
      if (answer.done) return;
    }
  };
}

async function filesOf(library: TestLibrary): Promise<readonly LibraryFile[]> {
  const { items } = await library.items.list(serverViewer, { limit: 500 });
  return items.flatMap(({ files }) => files.filter(({ type }) => type === 'media'));
}

async function assertRight(
  library: TestLibrary,
  libraryId: string,
  disk: Disk,
  index: ReadonlyMap<string, string>,
): Promise<void> {
  // Files beside media that moved away belong to its item until it is ingested.
  await settleWaiting(library);
  const { items } = await library.items.list(serverViewer, { limit: 500 });
  const files = items.flatMap((item) => item.files.filter(({ type }) => type === 'media'));
  const byUri = (a: { uri: string }, b: { uri: string }): number => (a.uri < b.uri ? -1 : 1);
  const times = await library.storage.database
    .read('files')
    .where({ status: 'active', type: 'media' })
    .select<{ uri: string; size: number; modified_at: number }[]>('uri', 'size', 'modified_at');

  const wanted = disk.list();
  expect(files.map(({ uri, size }) => ({ uri, size })).sort(byUri)).toEqual(
    wanted.map(({ uri, size }) => ({ uri, size })),
  );
  expect(times.map(({ uri, modified_at }) => [uri, modified_at]).sort()).toEqual(
    wanted.map(({ uri, modifiedAt }) => [uri, modifiedAt]).sort(),
  );
  const folders = new Set(
    wanted.map(({ uri }) => uri.slice(root.length + 1, uri.lastIndexOf('/'))),
  );
  expect(items.map(({ title }) => title).sort()).toEqual([...folders].sort());
  for (const item of items)
    for (const file of item.files) expect(file.uri.startsWith(`${root}/${item.title}/`)).toBe(true);
  expect((await library.libraries.get(libraryId, serverViewer)).itemCount).toBe(items.length);
  expect([...index].sort()).toEqual(items.map(({ id, title }) => [id, title]).sort());
  for (const item of items)
    expect(item.linkedEntities.map(({ name }) => name)).toEqual([item.title.slice(0, 1)]);
  await assertBeside(library, disk);
}

/** Each file beside media has a row, and the item of the media that it is named after. */
async function assertBeside(library: TestLibrary, disk: Disk): Promise<void> {
  const rows = await library.storage.database
    .read('files')
    .select<{ uri: string; type: string; item_no: number | null }[]>('uri', 'type', 'item_no');
  const itemOf = new Map(
    rows.flatMap(({ uri, type, item_no: itemNo }) =>
      type === 'media' ? [[uri.slice(0, uri.lastIndexOf('.')), itemNo] as const] : [],
    ),
  );
  const wanted = disk
    .everything()
    .filter(({ type }) => type === 'auxiliary')
    .map(({ uri }) => {
      const stem = uri.endsWith('.jpg')
        ? uri.slice(0, uri.lastIndexOf('-'))
        : uri.slice(0, uri.lastIndexOf('.', uri.length - 5));
      const isThere = disk.list().some((file) => file.uri.startsWith(`${stem}.`));
      return [uri, isThere ? itemOf.get(stem) : null];
    });
  const beside = rows.filter(({ type }) => type === 'auxiliary');
  const there = new Map(beside.map(({ uri, item_no: itemNo }) => [uri, itemNo]));
  expect([...there.keys()].sort()).toEqual(wanted.map(([uri]) => uri).sort());
  for (const [uri, itemNo] of wanted)
    if (itemNo !== null) expect([uri, there.get(String(uri))]).toEqual([uri, itemNo]);
}
