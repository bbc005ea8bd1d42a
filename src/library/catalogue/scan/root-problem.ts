/** The problems of the roots of a library, and their words. */
import { causeText } from '../../../platform/cause-text.ts';
import type { Text } from '../../../platform/text.ts';

/**
 * A problem of a root of a library, or of a mount below it; `incomplete` = of places below its roots.
 */
export interface RootProblem {
  readonly uri: string;
  readonly code:
    | 'unreachable'
    | 'empty'
    | 'other-volume'
    | 'unmounted'
    | 'scan-failed'
    | 'incomplete';
  readonly message: string;
}

/** Precedes the cause of a root that cannot be reached. */
export const unreachable: Text = {
  english: 'It cannot be reached, so none of its files is marked as missing.',
  german: 'Er ist nicht erreichbar, darum gilt keine seiner Dateien als fehlend.',
};

/** What is said of a root that can be reached, by the code of its problem. */
export const rootTexts = {
  empty: {
    english:
      'It is empty now: a disk may be missing. None of its files is marked as missing. If it is meant to be empty, take it out of the library.',
    german:
      'Er ist jetzt leer: Vielleicht fehlt eine Platte. Keine seiner Dateien gilt als fehlend. Soll er leer sein, nehmen Sie ihn aus der Bibliothek.',
  },
  'other-volume': {
    english:
      'It lies on another disk than before and lacks files. None of them is marked as missing. If the new disk is right, take the folder out of the library and add it again.',
    german:
      'Er liegt auf einer anderen Platte als vorher, und ihm fehlen Dateien. Keine davon gilt als fehlend. Ist die neue Platte richtig, nehmen Sie den Ordner aus der Bibliothek und fügen Sie ihn wieder hinzu.',
  },
  unmounted: {
    english:
      'The disk that was mounted here is absent. None of its files is marked as missing until it has been absent for 30 days.',
    german:
      'Die Platte, die hier eingehängt war, ist nicht da. Keine ihrer Dateien gilt als fehlend, bis sie 30 Tage lang fehlt.',
  },
} as const satisfies Readonly<Record<string, Text>>;

/** The message of a problem in each language; a cause from elsewhere is quoted. */
export function rootProblemText({ uri, code, message }: RootProblem): Text {
  switch (code) {
    case 'empty':
    case 'other-volume':
    case 'unmounted':
      return { ...rootTexts[code], english: message };
    case 'unreachable':
      return {
        english: message,
        german: message.startsWith(unreachable.english)
          ? `${unreachable.german} ${germanCause(message.slice(unreachable.english.length + 1))}`
          : germanCause(message),
      };
    case 'incomplete':
      return { english: message, german: `Die erste Stelle ist ${uri}.` };
    case 'scan-failed':
      return causeText(message);
  }
}

const germanCause = (cause: string): string => causeText(cause).german;
