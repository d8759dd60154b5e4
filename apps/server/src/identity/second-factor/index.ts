export {
  beginSecondFactor,
  confirmSecondFactor,
  hasSecondFactor,
  recoveryCodesLeft,
  removeSecondFactor,
  renewRecoveryCodes,
  takeSecondFactor,
} from './second-factor.service.ts'
