/** A plugin host whose engine failed the self-test. Stands alone, since it may read only itself. */
import { Socket } from 'node:net';

const channel = new Socket({ fd: 3, readable: true, writable: true });
channel.on('end', () => process.kill(process.pid, 'SIGKILL'));
channel.once('data', () => {
  const header = Buffer.from('[{"kind":"self-tested","passed":false}]');
  const lengths = Buffer.alloc(8);
  lengths.writeUInt32LE(4 + header.length, 0);
  lengths.writeUInt32LE(header.length, 4);
  channel.write(Buffer.concat([lengths, header]));
});
