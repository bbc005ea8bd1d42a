/** The kind of device, as shown to the user. */
export type Platform =
  | 'tvos'
  | 'ios'
  | 'android'
  | 'windows'
  | 'macos'
  | 'linux'
  | 'web'
  | 'tv'
  | 'mobile'
  | 'tablet'
  | 'desktop'
  | 'cli'
  | 'other';
