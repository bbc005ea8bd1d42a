export { createPluginCalls, type PluginCalls } from './plugin-calls.ts';
