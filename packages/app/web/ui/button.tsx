import type { ComponentProps } from 'preact';
import { Icon, type IconName } from './icon.tsx';

interface ButtonProps extends Omit<
  ComponentProps<'button'>,
  'type' | 'class' | 'icon' | 'label' | 'size'
> {
  readonly icon?: IconName;
  /** It stands out, or warns. */
  readonly kind?: 'primary' | 'danger';
  /** What screen readers say in place of its words. */
  readonly label?: string | undefined;
  /** What it does. It says its own failures: it does not reject. */
  readonly act?: () => unknown;
}

/** A button with words, which may have an icon before them. */
export const Button = ({ icon, kind, label, act, children, ...given }: ButtonProps) => (
  <button
    type="button"
    class={kind === undefined ? 'button' : `button ${kind}`}
    aria-label={label}
    onClick={act && (() => void act())}
    {...given}
  >
    {icon !== undefined && <Icon name={icon} size={16} />}
    {children}
  </button>
);

interface IconButtonProps extends Omit<ButtonProps, 'kind'> {
  readonly icon: IconName;
  readonly label: string;
  readonly size?: number;
}

/** A button that shows an icon alone. */
export const IconButton = ({ icon, label, size = 20, act, ...given }: IconButtonProps) => (
  <button
    type="button"
    class="icon-button"
    aria-label={label}
    onClick={act && (() => void act())}
    {...given}
  >
    <Icon name={icon} size={size} />
  </button>
);
