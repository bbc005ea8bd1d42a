/** DOM helpers for the pages of the server and the broker. */
export { announce, append, el, fill, foreign, type Attributes, type Child } from './elements.ts';
export { buttonOf, createForms, type Field } from './forms.ts';
