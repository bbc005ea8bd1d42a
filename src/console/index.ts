export { createConsole } from './console.ts';
export type { Console, ConsoleFile } from './console.ts';
