export { createChallenges } from './challenges.ts'
export {
  beginLogin,
  beginRegistration,
  finishRegistration,
  listPasskeys,
  proveByPasskey,
  removePasskey,
  renamePasskey,
  type PasskeysDeps,
} from './passkeys.service.ts'
export { relyingParty } from './relying-party.ts'
