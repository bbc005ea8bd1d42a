import type { ComponentChildren } from 'preact';

/** A field of a form with its label and what it is for; a toggle stands before its label. */
export function LabelledField({
  field: { label, description = '', input },
  children,
}: {
  readonly field: {
    readonly label: string;
    readonly description?: string | undefined;
    readonly input: string;
  };
  readonly children: ComponentChildren;
}) {
  const hint = description !== '' && (
    <small>
      <bdi>{description}</bdi>
    </small>
  );
  return input === 'toggle' ? (
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
