/** Brings a database up to date as the server does at its start, and ends: `node <bundle> <file>`. */
import { silentLog } from '../../kernel/index.ts';
import { openStorage } from '../../kernel/store/index.ts';
import { migrations } from '../../src/compose/index.ts';

const [file = ''] = process.argv.slice(2);
const storage = await openStorage({
  url: `sqlite:${file}`,
  migrations,
  keepsCopy: true,
  log: silentLog,
});
await storage.close();
