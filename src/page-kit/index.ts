/** What every page is made with: the console's, and the broker's. */
/** What an element may be given: attributes, and listeners as `onclick`. */
export type Attributes = Readonly<
  Record<string, string | number | boolean | null | undefined | ((event: Event) => void)>
>;

export type Child = Node | string | null | undefined | false;

/**
 * Makes an element. Text stays text: nothing is ever parsed as HTML, so no title, name or message of
 * anybody can become markup.
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

/** Shows these in place of what was there. */
export function fill(parent: Element, ...children: readonly (Child | readonly Child[])[]): void {
  parent.replaceChildren();
  append(parent, children.flat());
}

/** Says something to whoever cannot see that the page changed. */
export function announce(text: string): void {
  const place = document.querySelector('[role=status]');
  if (place) place.textContent = text;
}

/** A text that a program wrote or asked for, kept apart from ours whatever its direction. */
export const foreign = (text: string): HTMLElement => el('bdi', {}, text);

/** Adds what is there of the children. */
export function append(parent: Element, children: readonly Child[]): void {
  for (const child of children)
    if (child !== null && child !== undefined && child !== false) parent.append(child);
}
