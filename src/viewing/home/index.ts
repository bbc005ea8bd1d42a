export { createHome, type Home } from './home.ts';
export type { HomePage, HomeRow } from './home-row.ts';
