import type { UnixSettings } from '@godwit/contract'
import type { Random } from '@godwit/base'
import {
  createSystemAccounts,
  SystemAccountsFault,
  type SystemAccounts,
} from '../../../foundation/system-accounts/index.ts'
import { newToken } from '../../../kernel/crypto/index.ts'
import { AppError } from '../../../kernel/errors.ts'
import { placesOf } from '../people.policy.ts'
import type { Checked, PasswordSource, Person } from '../provider.types.ts'
import { CHECK_MS } from '../time-limits.ts'
import { tryYesOrNo } from '../trial.ts'

export interface UnixDeps {
  readonly clock: { monotonic(): number }
  readonly random: Random
}

/** One bound for every provider: they ask the same machine. */
const systemAccounts = createSystemAccounts()
/** `useradd` makes no other name (shadow-utils), and no module sees a stranger one. */
const LOGIN = /^[A-Za-z_][A-Za-z0-9_.@-]{0,254}$/

/** Accounts of the operating system that this server runs on. */
export function unixProvider(
  deps: UnixDeps,
  settings: UnixSettings,
  system: SystemAccounts = systemAccounts,
): PasswordSource {
  const check = (login: string, password: string, withinMs = CHECK_MS) =>
    ask(system, settings, { login, password, withinMs })
  return {
    check,
    test(somebody) {
      const nobody = `godwit-${newToken(deps.random).slice(0, 12)}`
      // Two questions share the time that a person waits.
      const each = (login: string, password: string) => check(login, password, CHECK_MS / 2)
      return tryYesOrNo(
        deps,
        { first: 'service', nobody, check: each, field: 'service', wrong: 'SYSTEM_PASSWORD_WRONG' },
        somebody,
      )
    },
  }
}

interface Question {
  readonly login: string
  readonly password: string
  readonly withinMs: number
}

async function ask(
  system: SystemAccounts,
  settings: UnixSettings,
  { login, password, withinMs }: Question,
): Promise<Checked> {
  if (password.trim() === '' || password.includes('\0')) return 'wrong'
  if (!LOGIN.test(login)) return 'unknown'
  const { service, minUid, groups } = settings
  try {
    const answer = await system.check({ service, minUid, login, password }, withinMs)
    if (answer === 'anybody') throw new AppError('AUTH_SERVICE_ACCEPTS_ANYBODY', { step: 'refusal', field: 'service' })
    if (typeof answer === 'string') return answer
    const { account } = answer
    const mapped = groups.filter(({ name }) => account.groups.includes(name))
    return personOf(account, placesOf(mapped))
  } catch (thrown) {
    if (!(thrown instanceof SystemAccountsFault)) throw thrown
    const { reason } = thrown
    const at = { step: 'service', field: 'service' }
    if (reason === 'missing') throw new AppError('PAM_SERVICE_MISSING', at, { cause: thrown })
    throw new AppError('SYSTEM_ACCOUNTS_UNREACHABLE', { ...at, reason }, { cause: thrown })
  }
}

function personOf(
  { uid, login, name }: { readonly uid: number; readonly login: string; readonly name: string },
  places: ReturnType<typeof placesOf>,
): Person {
  return {
    // A name may be given to somebody else one day; with the number together it stays the same account.
    ...{ key: `${uid}:${login}`, login, isDisabled: false, ...places },
    name: name === '' ? undefined : name,
    ...{ email: undefined, phone: undefined, department: undefined },
  }
}
