export { createMovedItems, type MovedItems } from './moved-items.ts';
