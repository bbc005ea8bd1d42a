import type { ComponentChildren } from 'preact';

/** A field of a form with its label and what it is for; a toggle stands before its label. */
export function LabelledField({
  label,
  description = '',
  isToggle,
  children,
}: {
  readonly label: string;
  readonly description?: string | undefined;
  readonly isToggle: boolean;
  readonly children: ComponentChildren;
}) {
  const hint = description !== '' && (
    <small>
      <bdi>{description}</bdi>
    </small>
  );
  return isToggle ? (
    <label class="check">
      {children}
      <span>
        <bdi>{label}</bdi>
        {hint}
      </span>
    </label>
  ) : (
    <label>
      <span>
        <bdi>{label}</bdi>
      </span>
      {children}
      {hint}
    </label>
  );
}
