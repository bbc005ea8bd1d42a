export {
  createProfileSettings,
  type ProfileForm,
  type ProfileSettings,
} from './profile-settings.ts';
