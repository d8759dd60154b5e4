import type { HttpSettings } from '@godwit/contract'
import type { Random } from '@godwit/base'
import { newToken } from '../../../kernel/crypto/index.ts'
import { AppError } from '../../../kernel/errors.ts'
import { outboundFetch, type Outbound } from '../../../kernel/outbound/index.ts'
import { hasControls } from '../../../kernel/plain-text.ts'
import { connectionFault } from '../connection-faults.ts'
import type { Checked, PasswordSource } from '../provider.types.ts'
import { CHECK_MS } from '../time-limits.ts'
import { tryYesOrNo } from '../trial.ts'
import { checkedOf, isAskable, proofHeaders } from './http.policy.ts'

export interface HttpDeps {
  readonly outbound: Outbound
  readonly clock: { now(): number; monotonic(): number }
  readonly random: Random
}

export interface HttpTarget {
  readonly settings: HttpSettings
  readonly secret: string
}

/** A person is some hundred bytes. */
const ANSWER_BYTES = 64 * 1024
const NOBODY = 'godwit-nobody'

/** A service of the house that is asked whether a password is right (docs/sign-in.md). */
export function httpProvider(deps: HttpDeps, target: HttpTarget): PasswordSource {
  const check = (login: string, password: string, withinMs = CHECK_MS) =>
    ask(deps, target, { login, password, withinMs })
  return {
    check,
    test(somebody) {
      const nobody = `${NOBODY}-${newToken(deps.random).slice(0, 12)}`
      // Two questions share the time that a person waits.
      const each = (login: string, password: string) => check(login, password, CHECK_MS / 2)
      return tryYesOrNo(deps, { first: 'answer', nobody, check: each, field: 'url' }, somebody)
    },
  }
}

interface Question {
  readonly login: string
  readonly password: string
  readonly withinMs: number
}

async function ask(deps: HttpDeps, target: HttpTarget, { login, password, withinMs }: Question): Promise<Checked> {
  if (password.trim() === '' || password.includes('\0')) return 'wrong'
  if (!isAskable(login) || hasControls(login)) return 'unknown'
  const body = JSON.stringify({ account: login, password })
  const at = { step: 'answer', field: 'url' }
  try {
    const response = await send(deps, target, { body, withinMs })
    const { status } = response
    if (status === 401 || status === 403) throw new AppError('AUTH_SERVICE_REFUSED', { ...at, field: 'secret', status })
    if (status >= 500) throw new AppError('EXTERNAL_AUTH_UNREACHABLE', { ...at, status })
    // A redirect as well: passwords go to no other address than the one that was set.
    if (status !== 200) throw new AppError('AUTH_SERVICE_ANSWER_INVALID', { ...at, status })
    const checked = checkedOf(target.settings, login, await response.text())
    if (checked === 'garbled') throw new AppError('AUTH_SERVICE_ANSWER_INVALID', at)
    if (checked === 'other') throw new AppError('AUTH_SERVICE_OTHER_ACCOUNT', at)
    return checked
  } catch (thrown) {
    throw serviceFault(thrown, at)
  }
}

function send(
  { outbound, clock, random }: HttpDeps,
  { settings, secret }: HttpTarget,
  { body, withinMs }: { readonly body: string; readonly withinMs: number },
): Promise<Response> {
  const { ca, inside, url } = settings
  const way = {
    ...{ outbound, ca, allowsPlain: true, answerBytes: ANSWER_BYTES, signal: AbortSignal.timeout(withinMs) },
    reach: inside ? 'inside' : 'public',
  } as const
  const request = { id: newToken(random), timestamp: Math.floor(clock.now() / 1000), body }
  const headers = {
    ...{ accept: 'application/json', 'content-type': 'application/json', 'user-agent': 'Godwit-Sign-In/1' },
    ...proofHeaders(settings, secret, request),
  }
  return outboundFetch(way, url, { method: 'POST', headers, body })
}

function serviceFault(thrown: unknown, at: { readonly step: string; readonly field: string }): AppError {
  const fault = connectionFault(thrown)
  switch (fault.kind) {
    case 'known':
      return fault.error
    case 'address': {
      const details = { ...at, step: 'connect', reason: fault.reason }
      return new AppError('EXTERNAL_AUTH_UNREACHABLE', details, { cause: thrown })
    }
    case 'certificate': {
      const field = fault.isOtherName ? 'url' : 'ca'
      return new AppError('AUTH_SERVICE_CERTIFICATE_INVALID', { step: 'tls', field }, { cause: thrown })
    }
    case 'silent':
      return new AppError('EXTERNAL_AUTH_UNREACHABLE', { ...at, step: 'connect' }, { cause: thrown })
    case 'garbled':
      return new AppError('AUTH_SERVICE_ANSWER_INVALID', at, { cause: thrown })
  }
}
