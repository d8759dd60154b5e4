export {
  accountOf,
  admittedAs,
  admittedFrom,
  personalPermission,
  requireAccount,
  sessionIdOf,
  type Account,
} from './accounts.ts'
export { loadAccount, loadJobPrincipal, loadUser } from './load-account.ts'
