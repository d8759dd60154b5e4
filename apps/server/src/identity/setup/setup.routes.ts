import { setupRoutes } from '@godwit/contract'
import { endpoint, type Endpoint } from '../../kernel/endpoint.ts'
import { setUp, type SetupDeps } from './setup.service.ts'

export function setupEndpoints(deps: SetupDeps): Endpoint[] {
  return [endpoint(setupRoutes.create, (ctx, { body }) => setUp(deps, ctx, body))]
}
