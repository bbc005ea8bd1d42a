export { createPieceWording } from './piece-wording.ts';
export { pageSlots } from './ui-schema-check.ts';
export { createViewAggregator } from './view-aggregator.ts';
export type { ShownPiece, ViewAggregator } from './view-aggregator.ts';
