export {
  principalOfToken,
  createApiToken,
  grantOfToken,
  listApiTokens,
  noteTokenUse,
  removeApiToken,
  type GrantedToken,
} from './api-tokens.service.ts'
