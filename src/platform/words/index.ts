export { english, type ValueNames, type WordKey } from './english.ts';
export { languages, type Language } from './languages.ts';
