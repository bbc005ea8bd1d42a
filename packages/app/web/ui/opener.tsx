import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { Button } from './button.tsx';
import type { IconName } from './icon.tsx';

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
      <Button icon={icon} label={label} act={() => (isOpen.value = true)}>
        {action}
      </Button>
      {isOpen.value && children(() => (isOpen.value = false))}
    </>
  );
}
