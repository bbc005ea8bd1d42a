import type { Field } from '../../../page-kit/index.ts';
import { t } from '../words.ts';

export const passwordField = (): Field => ({
  name: 'password',
  label: t('field.password'),
  hint: t('field.passwordHint'),
  attributes: {
    type: 'password',
    autocomplete: 'new-password',
    minlength: 10,
    maxlength: 1000,
  },
});
