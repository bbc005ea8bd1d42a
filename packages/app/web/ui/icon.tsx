import { iconPaths, type IconName } from './icon-paths.ts';

export type { IconName };

/** Icons that point along a line of text, and point the other way where text runs from right to left. */
const turning: readonly IconName[] = ['left', 'right'];

/** An icon. It says nothing to screen readers: the button around it has a name. */
export const Icon = ({ name, size = 20 }: { readonly name: IconName; readonly size?: number }) => (
  <svg
    class={turning.includes(name) ? 'icon turns' : 'icon'}
    width={size}
    height={size}
    viewBox="0 0 24 24"
    aria-hidden="true"
  >
    <path d={iconPaths[name]} />
  </svg>
);
