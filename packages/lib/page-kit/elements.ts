/** Elements of a page. */
/** The attributes of an element, with listeners such as `onclick`. */
export type Attributes = Readonly<
  Record<string, string | number | boolean | null | undefined | ((event: Event) => void)>
>;

export type Child = Node | string | null | undefined | false;

/**
 * Creates an element. Text stays text: it is never parsed as HTML, so untrusted titles, names and
 * messages cannot become markup.
 */
export function el<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Attributes = {},
  ...children: readonly (Child | readonly Child[])[]
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === 'function') element.addEventListener(key.slice(2), value);
    else element.setAttribute(key, value === true ? '' : String(value));
  }
  append(element, children.flat());
  return element;
}

/** Replaces the children. */
export function fill(parent: Element, ...children: readonly (Child | readonly Child[])[]): void {
  parent.replaceChildren();
  append(parent, children.flat());
}

/** Announces a change to screen readers. */
export function announce(text: string): void {
  const place = document.querySelector('[role=status]');
  if (place) place.textContent = text;
}

/** Untrusted text, isolated from the direction of the surrounding text. */
export const foreign = (text: string): HTMLElement => el('bdi', {}, text);

/** Adds the children that exist. */
export function append(parent: Element, children: readonly Child[]): void {
  for (const child of children)
    if (child !== null && child !== undefined && child !== false) parent.append(child);
}
