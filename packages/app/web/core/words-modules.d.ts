/** The words of the app and those of the documents; the build makes them of `messages/` (`packages/app/cli/page-words.ts`). */
declare module 'words:app' {
  export const english: Words;
  export const others: Loads;
  export const further: readonly Loads[];
  export const refusals: Loads;
}
declare module 'words:documents' {
  export const english: Words;
  export const others: Loads;
  export const further: readonly Loads[];
  export const refusals: Loads;
}
type Words = Readonly<Record<string, string>>;
type Loads = Readonly<Record<string, () => Promise<{ readonly default: Words }>>>;
