export {
  createProfileSettings,
  type ProfileForm,
  type ProfileSettings,
} from './profile-settings.ts';
export {
  createProfileAgreements,
  type ProfileAgreement,
  type ProfileAgreements,
} from './profile-agreements.ts';
