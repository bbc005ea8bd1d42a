/**
 * Fails when the pages of a run did not call an operation that needs a page (design/web.md 5.9, check 18):
 * `node test/support/pages/check-operations.ts FOLDER`, with the folder that VITRINE_PAGE_REQUESTS named.
 */
import { hasBrowser } from '../servers/browser.ts';
import { apiOperations, uncalledOperations, withoutPage } from './operations.ts';
import { recordedRequests } from './page-requests.ts';

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('It needs the folder of the requests of a run.');

if (hasBrowser) {
  const operations = await apiOperations();
  const uncalled = uncalledOperations(operations, recordedRequests(folder));
  const needed = operations.filter(({ id }) => withoutPage[id] === undefined).length;
  if (uncalled.length === 0)
    console.log(`The pages called all ${needed} operations that need a page.`);
  else {
    console.error(`No page called ${uncalled.length} of ${needed} operations:`);
    for (const { id, method, route } of uncalled)
      console.error(`  ${id} (${method.toUpperCase()} ${route})`);
    process.exitCode = 1;
  }
} else console.log('There is no browser: which operations the pages call was not looked at.');
