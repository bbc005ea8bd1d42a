import { Refusal } from './api.ts';
import { t } from './words.ts';
import { createForms } from '../../page-kit/index.ts';

export const { form, actionButton, show } = createForms({
  of: (error) => (error instanceof Refusal || error instanceof DOMException ? error.message : null),
  ofBug: () => t('error.page'),
});
