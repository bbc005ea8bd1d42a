import type { Field } from '../form.ts';

/** The field for a new password. */
export const passwordField: Field = {
  name: 'password',
  label: 'Password',
  hint: 'At least 10 characters. A few unrelated words are best.',
  attributes: {
    type: 'password',
    autocomplete: 'new-password',
    minlength: 10,
    maxlength: 1000,
  },
};
