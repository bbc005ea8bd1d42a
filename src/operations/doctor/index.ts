export { examineInstallation, type ExamineParts } from './examine.ts';
export { findingIn, type Finding, type ShownFinding } from './finding.ts';
