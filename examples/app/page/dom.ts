type Child = Node | string | null;

/** Makes an element. Texts are never parsed as markup. */
export function el<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Readonly<Record<string, string>> = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children.filter((child) => child !== null));
  return element;
}

/** A button that is busy until its work is done; errors are shown. */
export function button(
  label: string,
  work: () => unknown,
  { isMain = false, failed }: { isMain?: boolean; failed: (error: unknown) => void },
): HTMLButtonElement {
  const element = el('button', { type: 'button', ...(isMain && { class: 'main' }) }, label);
  element.addEventListener('click', () => {
    element.disabled = true;
    void Promise.resolve()
      .then(work)
      .catch(failed)
      .finally(() => {
        element.disabled = false;
      });
  });
  return element;
}

/** The element with this id, which the page must have. */
export function byId(id: string): HTMLElement {
  const element = document.getElementById(id);
  if (!element) throw new Error(`The page has no #${id}.`);
  return element;
}
