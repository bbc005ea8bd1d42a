import type { ReadonlySignal } from '@preact/signals';
import { t } from '../core/messages.ts';

/** A letter of a list, and the index of its first title. */
export interface Letter {
  readonly letter: string;
  readonly index: number;
}

/** The letters of a list beside it; each goes to its first title. */
export function LetterRail({
  letters,
  top,
  jump,
}: {
  readonly letters: readonly Letter[];
  readonly top: ReadonlySignal<number>;
  readonly jump: (index: number) => void;
}) {
  if (letters.length < 2) return null;
  const now = letters.findLast(({ index }) => index <= top.value)?.letter;
  return (
    <nav class="letters" aria-label={t('library.letters')}>
      {letters.map(({ letter, index }) => (
        <button
          key={letter}
          type="button"
          aria-current={letter === now ? 'true' : undefined}
          onClick={() => jump(index)}
        >
          {letter}
        </button>
      ))}
    </nav>
  );
}
