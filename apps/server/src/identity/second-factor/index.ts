export {
  beginSecondFactor,
  confirmSecondFactor,
  hasSecondFactor,
  recoveryCodesLeft,
  removeSecondFactor,
  renewRecoveryCodes,
  takeSecondFactor,
  type SecondFactorDeps,
} from './second-factor.service.ts'
