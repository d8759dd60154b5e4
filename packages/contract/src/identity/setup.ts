import { z } from 'zod'
import { defineRoute } from '../wire/route.ts'
import { loginReply } from './auth.ts'

export const setupRoutes = {
  create: defineRoute({
    method: 'POST',
    path: '/api/setup',
    summary: 'Create the first administrator; works once, with the token that the start printed',
    access: 'public',
    body: z.strictObject({
      token: z.string().max(200),
      account: z.string().max(256),
      email: z.string().max(256),
      /** base64 of UTF-8 */
      password: z.string().max(1024),
    }),
    reply: loginReply,
    errors: ['SETUP_DONE', 'SETUP_TOKEN_WRONG', 'ACCOUNT_INVALID', 'EMAIL_INVALID', 'PASSWORD_WEAK'],
  }),
}
