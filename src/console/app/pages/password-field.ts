import type { Field } from '../form.ts';

/** For a password that is chosen here. */
export const passwordField: Field = {
  name: 'password',
  label: 'Password',
  hint: 'At least 10 characters. A few words that only you would put together are best.',
  attributes: {
    type: 'password',
    autocomplete: 'new-password',
    minlength: 10,
    maxlength: 1000,
  },
};
