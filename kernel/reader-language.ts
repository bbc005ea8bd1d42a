/** Words in the languages of the server itself. */
interface Translated<Words> {
  readonly english: Words;
  readonly german: Words;
}

/** The words in the language of a reader, as a BCP 47 tag; English where there are none. */
export const inLanguageOf = <Words>(
  locale: string | null,
  { english, german }: Translated<Words>,
): Words => (locale?.toLowerCase().split('-', 1)[0] === 'de' ? german : english);
