import type { Undo } from '../../../kernel/index.ts';
import type { EventBus } from '../../../kernel/call/events/index.ts';
import type { ScanEventData } from '../../../plugin-api/index.ts';

/** The source and the output of the progress. */
export interface ProgressParts {
  readonly events: Pick<EventBus, 'listen'>;
  /** The name of a library by its id. */
  readonly nameOf: (libraryId: string) => string;
  /** A terminal shows one line that changes; a file gets a line per finished scan. */
  readonly isTerminal: boolean;
  readonly write: (text: string) => void;
}

/** Shows the progress of scans. The undo clears the line. */
export function showProgress({ events, nameOf, isTerminal, write }: ProgressParts): Undo {
  const running = new Map<string, string>();

  const paint = () => {
    if (isTerminal) write(`\r\u001b[K${[...running.values()].join('  ')}`);
  };

  const undo = events.listen('library.scan.*', ({ type, data }) => {
    const scan = data as Partial<ScanEventData>;
    const { libraryId = '', jobId = '', found = 0 } = scan;
    const name = nameOf(libraryId);
    if (type === 'library.scan.completed') {
      running.delete(jobId);
      write(`${isTerminal ? '\r\u001b[K' : ''}Scanned ${name}: ${summary(scan)}\n`);
    } else running.set(jobId, `Scanning ${name}: ${found} files`);
    paint();
  });
  return () => {
    undo();
    if (isTerminal && running.size > 0) write('\r\u001b[K');
  };
}

function summary({ found = 0, ...scan }: Partial<ScanEventData>): string {
  const { added = 0, changed = 0, moved = 0, gone = 0 } = scan;
  const parts = Object.entries({ added, changed, moved, gone }).filter(([, count]) => count > 0);
  const what = parts.map(([name, count]) => `${count} ${name}`).join(', ');
  return `${found} files, ${what === '' ? 'nothing new' : what}.`;
}
