/** A parsed element: names in lower case and without prefix. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: readonly XmlElement[];
  /** Its own text, entities decoded, trimmed. */
  readonly text: string;
}

/** The first child of that name. */
export function childOf(element: XmlElement, name: string): XmlElement | undefined {
  return element.children.find((child) => child.name === name);
}

/** All children of these names, in the order of the document. */
export function childrenOf(element: XmlElement, ...names: readonly string[]): XmlElement[] {
  return element.children.filter((child) => names.includes(child.name));
}

/** The first non-empty text of the children of these names, in the order of the names. */
export function textOf(element: XmlElement, ...names: readonly string[]): string | undefined {
  for (const name of names) {
    for (const child of element.children) {
      if (child.name === name && child.text !== '') return child.text;
    }
  }
  return undefined;
}

/** Every non-empty text of the children of these names, each once. */
export function textsOf(element: XmlElement, ...names: readonly string[]): string[] {
  const texts = childrenOf(element, ...names).map(({ text }) => text);
  return [...new Set(texts.filter((text) => text !== ''))];
}
