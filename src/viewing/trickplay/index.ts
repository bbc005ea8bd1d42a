export { createTrickplayStore, type TrickplayStore } from './trickplay-store.ts';
export { sheetWorkOf, trickplayCues } from './trickplay.ts';
