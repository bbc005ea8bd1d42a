/** A plugin host whose engine failed the self-test. Stands alone, since it may read only itself. */
import { Socket } from 'node:net';

const toKernel = new Socket({ fd: 3, readable: false, writable: true });
const fromKernel = new Socket({ fd: 4, readable: true, writable: false });
fromKernel.on('end', () => process.kill(process.pid, 'SIGKILL'));
fromKernel.once('data', () => {
  const header = Buffer.from('[{"kind":"self-tested","passed":false}]');
  const lengths = Buffer.alloc(8);
  lengths.writeUInt32LE(4 + header.length, 0);
  lengths.writeUInt32LE(header.length, 4);
  toKernel.write(Buffer.concat([lengths, header]));
});
