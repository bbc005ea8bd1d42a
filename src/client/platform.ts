/** What kind of device asks, as the user is told. */
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
