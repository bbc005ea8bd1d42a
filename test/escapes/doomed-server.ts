/**
 * A server that will be killed: it starts two plugins, prints the process ids of their hosts, and has
 * one of them run code that nothing can interrupt.
 */
import { openSandboxes, startPlugin } from '../support/plugins/open-sandboxes.ts';

const sandboxes = openSandboxes();
const definition =
  'methods: { lose: () => Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1) },';
const plugin = await startPlugin(sandboxes, { definition });
await startPlugin(sandboxes, { definition });
void plugin.call('lose', {}, 60_000);
setTimeout(() => {
  process.stdout.write(`${JSON.stringify(sandboxes.report().map(({ pid }) => pid))}\n`);
}, 200);
