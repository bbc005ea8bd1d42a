export { askForMissing, type Asking } from './ask-for-missing.ts';
export { CreateError } from './create-error.ts';
export { createPlugin, type CreateParts } from './create-plugin.ts';
export {
  isTemplate,
  parseNewPlugin,
  templates,
  type NewPlugin,
  type PluginWish,
  type TemplateName,
} from './new-plugin.ts';
export { nextSteps } from './next-steps.ts';
