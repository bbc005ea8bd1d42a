export {
  localesFolder,
  noLocales,
  placeholdersOf,
  readLocales,
  untranslated,
  type LocaleTexts,
  type Locales,
} from './locales.ts';
export { findText, translated, wordsFor, type AskedText, type FoundText } from './translated.ts';
