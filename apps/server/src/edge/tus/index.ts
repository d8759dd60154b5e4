export { tusEndpoints } from './tus.endpoints.ts'
