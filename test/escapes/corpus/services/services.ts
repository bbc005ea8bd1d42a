import type { ServiceClass } from '../attempt.ts';
import { cryptoInputs } from './crypto-inputs.ts';
import { eventNames } from './event-names.ts';
import { foreignDisk } from './foreign-disk.ts';
import { foreignFiles } from './foreign-files.ts';
import { foreignJobs } from './foreign-jobs.ts';
import { foreignLibraries } from './foreign-libraries.ts';
import { foreignSettings } from './foreign-settings.ts';
import { hiddenAddresses } from './hidden-addresses.ts';
import { kvCrossing } from './kv-crossing.ts';
import { powersWithoutGrant } from './powers-without-grant.ts';
import { sealedSecrets } from './sealed-secrets.ts';
import { textIndexInjection } from './text-index-injection.ts';
import { ungrantedHosts } from './ungranted-hosts.ts';

/** Every class of programs against the services. */
export const serviceClasses: readonly ServiceClass[] = [
  powersWithoutGrant,
  cryptoInputs,
  kvCrossing,
  textIndexInjection,
  foreignFiles,
  foreignDisk,
  foreignLibraries,
  foreignJobs,
  foreignSettings,
  sealedSecrets,
  eventNames,
  ungrantedHosts,
  hiddenAddresses,
];
