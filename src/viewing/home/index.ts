export { createHome, type Home } from './home.ts';
export { homeRowKinds } from './home-row.ts';
export type { HomePage, HomeRow, HomeTile } from './home-row.ts';
