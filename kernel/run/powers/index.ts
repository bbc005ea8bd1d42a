export { consentTo, type Consent, type Decided } from './consent.ts';
export { interfaceSentence } from './interface-sentence.ts';
export { clamp } from './permissions.ts';
export {
  agreementSentence,
  placesSentence,
  sentencesOf,
  type PermissionSentence,
  type Wording,
} from './permission-sentences.ts';
export { isOwnJobType, powersAsked, serverJobTypes } from './powers-asked.ts';
export { powerWords, type PowerWords } from './words/index.ts';
