import type { ReadonlySignal } from '@preact/signals';

/** A letter of a list, or a year, and the index of its first title. */
export interface Letter {
  readonly letter: string;
  readonly index: number;
}

/** The letters or years of a list beside it; each goes to its first title. */
export function LetterRail({
  label,
  letters,
  top,
  jump,
}: {
  readonly label: string;
  readonly letters: readonly Letter[];
  readonly top: ReadonlySignal<number>;
  readonly jump: (index: number) => void;
}) {
  if (letters.length < 2) return null;
  const now = letters.findLast(({ index }) => index <= top.value)?.letter;
  return (
    <nav class="letters" aria-label={label}>
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
