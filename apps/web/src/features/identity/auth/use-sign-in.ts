import { routes } from '@godwit/contract/table'
import { isEmail } from '@godwit/contract/field-rules'
import { decodePassword } from '@godwit/contract/passwords'
import { type Api, isFailure } from '../../../lib/http.ts'
import { useServices } from '../../../lib/services.tsx'
import { setUpTicket } from '../factor-set-up/index.ts'
import { rememberedDevice, signedIn } from './signed-in.ts'

export interface Attempt {
  readonly account: string
  /** As the wire has it. */
  readonly password: string
  readonly emailCode?: string
  readonly secondFactor?: string
}

export interface SignInOutcomes {
  /** The password was right and something more is asked for (4132, 5440). */
  readonly onDemand: (kind: 'email-code' | 'second-factor', attempt: Attempt) => void
  /** The password was right and a second factor must be set up first (5458). */
  readonly onSetUp: (ticket: string) => void
  /** The password was right and must be changed first (1074). */
  readonly onResetRequired: (account: string, oldPassword: string) => void
}

/** @returns one attempt to sign in, which throws what a form shows: everything that is no demand */
export function useSignIn({ onDemand, onSetUp, onResetRequired }: SignInOutcomes): (attempt: Attempt) => Promise<void> {
  const { api, session, clock } = useServices()
  return async (wanted) => {
    const attempt = { ...wanted, account: await accountOf(api, wanted.account) }
    try {
      const body = { ...attempt, ...rememberedDevice() }
      session.set(signedIn(await api.call(routes.auth.login, { body }, { token: null }), clock))
    } catch (error) {
      const ticket = setUpTicket(error)
      if (ticket !== undefined) onSetUp(ticket)
      else if (isFailure(error, 'EMAIL_CODE_REQUIRED')) onDemand('email-code', attempt)
      else if (isFailure(error, 'SECOND_FACTOR_REQUIRED')) onDemand('second-factor', attempt)
      else if (isFailure(error, 'PASSWORD_RESET_REQUIRED')) {
        onResetRequired(attempt.account, decodePassword(attempt.password) ?? '')
      } else throw error
    }
  }
}

/** What looks like an e-mail address is resolved to its account first. */
async function accountOf(api: Api, typed: string): Promise<string> {
  if (!isEmail(typed)) return typed
  const body = { action: 'get_account', email: typed } as const
  const { result, account } = await api.call(routes.auth.legacy, { body }, { token: null })
  return result === 0 ? account : typed
}
