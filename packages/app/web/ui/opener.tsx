import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { Icon, type IconName } from './icon.tsx';

interface OpenerProps {
  readonly icon: IconName;
  /** What the button says. */
  readonly action: string;
  /** What it says to screen readers; the same when absent. */
  readonly label?: string;
  /** The window, which gets what closes it. */
  readonly children: (close: () => void) => ComponentChildren;
}

/** A button that opens a window. */
export function Opener({ icon, action, label, children }: OpenerProps) {
  const isOpen = useSignal(false);
  return (
    <>
      <button type="button" class="button" aria-label={label} onClick={() => (isOpen.value = true)}>
        <Icon name={icon} size={16} />
        {action}
      </button>
      {isOpen.value && children(() => (isOpen.value = false))}
    </>
  );
}
