export {
  fileWithoutName,
  landlockCommand,
  type LandlockParts,
  type OpenPlace,
  type Right,
} from './landlock.ts';
export { filteredProcessor, systemCallFilter } from './system-call-filter.ts';
