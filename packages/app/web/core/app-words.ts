/** The words of the app. */
import { english, further, others, refusals } from 'words:app';
import { setWords } from './messages.ts';

export const setAppWords = (): void => setWords({ english, further, others, refusals });
