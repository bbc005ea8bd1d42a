export { examineInstallation, type ExamineParts } from './examine.ts';
export type { Finding } from './finding.ts';
