export { deliverTexts } from './deliver-texts.ts';
export { plainTags } from './entity-tags.ts';
