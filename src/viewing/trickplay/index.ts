export { createTrickplayStore, type TrickplayStore } from './trickplay-store.ts';
export { sheetWorkOf, trickplayCues, type Trickplay } from './trickplay.ts';
