import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { t } from '../core/messages.ts';
import { IconButton } from './button.tsx';
import { Icon } from './icon.tsx';

/** One line of a list that a person puts in order. */
export interface OrderedLine {
  readonly key: string;
  /** Its name, for the buttons that move it. */
  readonly name: string;
  readonly content: ComponentChildren;
  readonly buttons?: ComponentChildren;
}

interface OrderedListProps {
  readonly label: string;
  readonly lines: readonly OrderedLine[];
  /** Is called with the old and the new place. */
  readonly onMove: (from: number, to: number) => void;
}

/** A list whose lines are moved by buttons, or dragged. */
export function OrderedList({ label, lines, onMove }: OrderedListProps) {
  const dragged = useSignal<number | null>(null);
  const over = useSignal<number | null>(null);
  const end = (): void => {
    dragged.value = null;
    over.value = null;
  };
  return (
    <ol class="ordered" aria-label={label}>
      {lines.map(({ key, name, content, buttons }, at) => (
        <li
          key={key}
          draggable
          class={over.value === at && dragged.value !== at ? 'drop' : undefined}
          onDragStart={(event) => {
            dragged.value = at;
            event.dataTransfer?.setData('text/plain', name);
          }}
          onDragOver={(event) => {
            if (dragged.value === null) return;
            event.preventDefault();
            over.value = at;
          }}
          onDrop={(event) => {
            event.preventDefault();
            if (dragged.value !== null && dragged.value !== at) onMove(dragged.value, at);
            end();
          }}
          onDragEnd={end}
        >
          <span class="grip">
            <Icon name="drag" size={16} />
          </span>
          <div class="line">{content}</div>
          {([-1, 1] as const).map((step) => {
            // It keeps the focus at the end of the list, which `disabled` would take.
            const isAtEnd = at + step < 0 || at + step >= lines.length;
            return (
              <IconButton
                icon={step < 0 ? 'up' : 'down'}
                label={t(step < 0 ? 'action.moveUp' : 'action.moveDown', { name })}
                key={step}
                aria-disabled={isAtEnd}
                act={() => !isAtEnd && onMove(at, at + step)}
              />
            );
          })}
          {buttons}
        </li>
      ))}
    </ol>
  );
}

/** A copy of a list with one entry at another place. */
export function moved<Entry>(
  entries: readonly Entry[],
  from: number,
  to: number,
): readonly Entry[] {
  const rest = [...entries];
  const [one] = rest.splice(from, 1);
  if (one !== undefined) rest.splice(to, 0, one);
  return rest;
}
