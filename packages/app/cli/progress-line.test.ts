import { expect, test } from 'vitest';
import { silentLog } from '../../../kernel/index.ts';
import { createEventBus } from '../../../kernel/call/events/index.ts';
import { showProgress } from './progress-line.ts';

const scan = { libraryId: 'l', jobId: 'j', added: 0, changed: 0, moved: 0, gone: 0 };

function shown(isTerminal: boolean) {
  const dispatch = () => Promise.reject(new Error('no plugin listens'));
  const dispatcher = { dispatch, isRunning: () => false, unknownHandlers: () => 0 };
  const events = createEventBus({ dispatcher, log: silentLog });
  const lines: string[] = [];
  showProgress({ events, nameOf: () => 'Films', isTerminal, write: (text) => lines.push(text) });
  events.emit('library.scan.progress', { ...scan, found: 500 });
  events.emit('library.scan.completed', { ...scan, found: 700, added: 690, moved: 10 });
  return lines;
}

test('a terminal shows one line that changes, and a final line when the scan ends', () => {
  expect(shown(true)).toEqual([
    '\r\u001b[KScanning Films: 500 files',
    '\r\u001b[KScanned Films: 700 files, 690 added, 10 moved.\n',
    '\r\u001b[K',
  ]);
});

test('a file receives only the final line, and no control character', () => {
  expect(shown(false)).toEqual(['Scanned Films: 700 files, 690 added, 10 moved.\n']);
});
