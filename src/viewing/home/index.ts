export { createHome, type Home } from './home.ts';
export type { HomePage, HomeRow, HomeTile } from './home-row.ts';
