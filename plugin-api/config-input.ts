/** How a configuration value is entered. */
export type ConfigInput =
  | 'text'
  | 'secret'
  | 'number'
  | 'toggle'
  | 'select'
  | 'multi-select'
  | 'string-list'
  | 'file-path'
  | 'color'
  | 'slider';
