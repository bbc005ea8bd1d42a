/** A title of a book, and what EPUB 3 says it is: `main`, `subtitle`, `short`, `collection`, `edition`, `expanded`. */
export interface TypedTitle {
  readonly text: string;
  readonly type: string | undefined;
}

/** Which of the titles of a book is its title, and which its subtitle. */
export function titlesOfBook<Title extends TypedTitle>(
  titles: readonly Title[],
): { readonly title: Title | undefined; readonly subtitle: Title | undefined } {
  const of = (type: string | undefined): Title | undefined =>
    titles.find((one) => one.type === type && one.text.trim() !== '');
  const subtitle = of('subtitle');
  const title = of('main') ?? of(undefined) ?? of('expanded') ?? of('short') ?? titles[0];
  return { title, subtitle: subtitle === title ? undefined : subtitle };
}
