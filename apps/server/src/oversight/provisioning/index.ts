export {
  addAccount,
  changeAccount,
  deleteAccount,
  getAccount,
  searchAccounts,
  type ProvisionedAccount,
} from './accounts.service.ts'
export type { WantedAccount } from './accounts.policy.ts'
export {
  addProvisionedGroup,
  changeProvisionedGroup,
  deleteProvisionedGroup,
  getGroup,
  searchGroups,
  type MembersStep,
  type ProvisionedGroup,
  type WantedGroup,
} from './groups.service.ts'
export { provisioningFeature, type Provisioning } from './provisioning.feature.ts'
export { actorOf } from './provisioning.types.ts'
