export { approveChallenge, approveText, type Approval } from './approve.ts';
export { fingerprint } from './fingerprint.ts';
