/** The problems of the roots of a library, and their words. */
import { causeText } from '../../../platform/cause-text.ts';
import { joinTexts, say, type Text } from '../../../platform/text.ts';
import type { RootProblem } from '../../../contract/resources/library/libraries.ts';

/** Precedes the cause of a root that cannot be reached. */
export const unreachable: Text = say('libraries.cannotReachedNoneFilesMarked');

/** What is said of a root that can be reached, by the code of its problem. */
export const rootTexts = {
  empty: say('libraries.emptyNowDiskMayMissing'),
  'other-volume': say('libraries.liesAnotherDiskBeforeLacks'),
  unmounted: say('libraries.diskMountedHereAbsentNone'),
} as const satisfies Readonly<Record<string, Text>>;

/** The message of a problem in each language; a cause from elsewhere is quoted. */
export function rootProblemText({ uri, code, message }: RootProblem): Text {
  switch (code) {
    case 'empty':
    case 'other-volume':
    case 'unmounted':
      return { ...rootTexts[code], english: message };
    case 'unreachable':
      return message.startsWith(unreachable.english)
        ? joinTexts([unreachable, causeText(message.slice(unreachable.english.length + 1))])
        : causeText(message);
    case 'incomplete':
      return { ...say('libraries.firstPlace', { uri }), english: message };
    case 'scan-failed':
      return causeText(message);
  }
}
