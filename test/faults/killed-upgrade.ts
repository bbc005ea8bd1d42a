/** A server process that is killed at one moment of an upgrade: `node killed-upgrade.ts <data> <moment> <database>`. */
import { createPublisher } from '../support/plugins/packages.ts';
import { openPluginFolder, startPluginServer } from '../plugins/plugin-server.ts';
import { createFaultPlan, installFirst, versionOf } from './failing-upgrade.ts';

const [data = '', moment = '-1', database = ''] = process.argv.slice(2);
const plan = createFaultPlan();
const signer = createPublisher();
const server = await startPluginServer(openPluginFolder(data, database), [], plan);
if (!server.plugins.installs.find('keeper')) await installFirst(server, signer);
if (moment !== 'install') {
  plan.begin([Number(moment)], () => process.kill(process.pid, 'SIGKILL'));
  await server.plugins.installs.place(await versionOf('1.1.0', signer), { source: null });
  plan.end();
  console.log(JSON.stringify(plan.moments));
  await server.plugins.installs.rollBack('keeper');
}
await server.stop();
process.exit(0);
