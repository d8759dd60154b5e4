export {
  AdministratorProvider,
  hasRight,
  type RightsOf,
  useAdministrator,
  useAdministratorQuery,
  useRight,
} from './administrator.tsx'
