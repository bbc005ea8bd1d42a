/** `vitrine plugin dev`: runs the plugin in a folder, and reloads it when its author saves. */
import { createSerialQueue } from '../../../lib/concurrency/index.ts';
import type { DevLine } from './dev-line.ts';
import { readDevLine, devHelp } from './dev-line.ts';
import { openDevSession, type DevSession, type DevSessionParts } from './dev-session.ts';
import type { Printer } from './dispatch-printer.ts';
import { createFileWatch } from './watch-files.ts';

/** The parameters of a run. */
export interface DevParts extends DevSessionParts {
  /** Ends after one load and its samples. */
  readonly isOnce: boolean;
  /** The author's input, line by line; `null` = there is no terminal. */
  readonly lines: AsyncIterable<string> | null;
  /** The errors of types in the folder; it may take seconds. They are not checked when absent. */
  readonly checkTypes?: () => Promise<readonly string[]>;
  /** Ends it. */
  readonly signal: AbortSignal;
  /** Milliseconds; only differences count. */
  readonly elapsed: () => number;
}

/** Runs until it is ended; gives the exit code, which is meaningful only with `isOnce`. */
export async function runDev(parts: DevParts): Promise<number> {
  const { printer } = parts;
  const session = await openDevSession(parts);
  try {
    if (parts.isOnce) return await loadOnce(session);
    await loop(parts, session, printer);
    return 0;
  } finally {
    await session.close();
  }
}

async function loadOnce(session: DevSession): Promise<number> {
  if ((await session.load()) === 'failed') return 1;
  return (await session.play()) === 0 ? 0 : 1;
}

/** Checks types while the plugin runs already; of several saves the last one counts. */
function createTypeCheck({ checkTypes, printer }: DevParts): () => void {
  let isRunning = false;
  let isAsked = false;
  let wasWrong = false;

  async function run(check: () => Promise<readonly string[]>): Promise<void> {
    isRunning = true;
    while (isAsked) {
      isAsked = false;
      const errors = await check().catch((error: unknown) => [String(error)]);
      if (isAsked) continue;
      for (const error of errors) printer.failure(error);
      if (wasWrong && errors.length === 0) printer.note('The types are right again.');
      wasWrong = errors.length > 0;
    }
    isRunning = false;
  }

  return () => {
    isAsked = true;
    if (checkTypes !== undefined && !isRunning) void run(checkTypes);
  };
}

async function loop(parts: DevParts, session: DevSession, printer: Printer): Promise<void> {
  const { signal, lines, elapsed } = parts;
  const lookAtTypes = createTypeCheck(parts);
  const ended = new Promise<void>((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true });
    if (signal.aborted) resolve();
  });
  const queue = createSerialQueue();
  const inOrder = (work: () => Promise<void>): void => {
    queue.run(work).catch((error: unknown) => {
      printer.failure(error instanceof Error ? error.message : String(error));
    });
  };
  const reload = (savedAt: number) => async (): Promise<void> => {
    const ending = await session.load();
    watching.follow(session.files());
    // Types alone may have changed.
    lookAtTypes();
    if (ending === 'unchanged') return;
    const took = Math.round(elapsed() - savedAt);
    if (ending === 'loaded') {
      printer.note(`Loaded ${took} ms after it was saved.`);
      await session.play();
    }
  };
  const watching = createFileWatch(() => inOrder(reload(elapsed())));
  watching.follow(session.files());
  inOrder(async () => {
    if ((await session.load()) === 'loaded') await session.play();
    watching.follow(session.files());
    lookAtTypes();
    printer.note('Waiting for changes. "help" lists the commands.');
  });
  if (lines) void readLines(lines, session, printer, inOrder);
  await ended;
  watching.close();
  await queue.idle();
}

async function readLines(
  lines: AsyncIterable<string>,
  session: DevSession,
  printer: Printer,
  inOrder: (work: () => Promise<void>) => void,
): Promise<void> {
  for await (const text of lines) {
    const line = readDevLine(text, session.library);
    if (line) inOrder(() => runLine(line, session, printer));
  }
}

async function runLine(line: DevLine, session: DevSession, printer: Printer): Promise<void> {
  switch (line.kind) {
    case 'help':
      for (const row of devHelp) printer.note(row);
      return;
    case 'wrong':
      printer.failure(line.why);
      return;
    case 'samples':
      await session.play();
      return;
    case 'sample':
      await session.play([line.sample]);
      return;
    case 'action':
      await session.action(line.name, line.params);
      return;
    case 'configure':
      await session.configure(line.values);
      printer.note('Configured.');
  }
}
