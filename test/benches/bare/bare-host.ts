/** The peer of the dispatch bench: the same IPC and the same isolate call, and nothing around them. */
import ivm from 'isolated-vm';

const isolate = new ivm.Isolate({ memoryLimit: 64 });
const context = await isolate.createContext();
const echo = await context.eval('(json) => JSON.stringify(JSON.parse(json).data)', {
  reference: true,
});

process.on('message', ({ id, json }: { id: number; json: string }) => {
  void echo
    .apply(undefined, [json], { timeout: 5000, result: { copy: true } })
    .then((answer) => process.send?.({ id, json: String(answer) }));
});
process.send?.({ id: -1 });
