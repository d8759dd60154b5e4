import { defineRoute, userPath, type OperationSpec } from '@godwit/contract'
import { z } from 'zod'

export const favoriteRoutes = {
  list: defineRoute({
    method: 'GET',
    path: '/api/favorites',
    summary: 'Paths that the caller marked, the newest first',
    access: 'user',
    reply: z.object({ paths: z.array(z.string()) }),
    errors: [],
  }),
}

export const favorite = {
  name: 'favorite',
  summary: 'Mark a path, to find it again',
  input: z.strictObject({ path: userPath }),
  reply: z.object({ count: z.int() }),
  errors: ['RATE_LIMITED'],
} as const satisfies OperationSpec
