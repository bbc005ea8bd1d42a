export { deliverTexts } from './deliver-texts.ts';
export { plainTags } from './entity-tags.ts';
export { addVary } from './vary.ts';
export { chooseEncoding } from './encodings.ts';
