import type { Ctx } from '../../kernel/context.ts'
import { AppError } from '../../kernel/errors.ts'
import type { AccountPrincipal, Principal } from '../../kernel/principal.ts'
import type { Standing } from '../administrators/index.ts'
import { coversAddress } from '../users/index.ts'

/** What an account is and may do now, for a principal that stands for it. */
export interface Account {
  /** Name the account signs in with. */
  readonly account: string
  readonly isAdmin: boolean
  /** Permission bits in the personal files of a space (stored form); for an API token or a job already narrowed. */
  readonly permission: number
  /** Folder of the personal files inside a space's storage. */
  readonly home: string
  /** Bytes this account may keep; 0 = no limit; null = the installation's default. */
  readonly quotaBytes: number | null
  /** Spaces the account is a member of, ascending. */
  readonly spaceIds: readonly number[]
  /** Flags that an API token, or a job of one, has nothing beyond in any place; left out for a person. */
  readonly cap?: number
  /** What an administrator narrowed, as JSON; left out without any rule. */
  readonly fileRules?: string
  /** How fast it may send and receive, as JSON; left out without any limit. */
  readonly speedRules?: string
  /** Where it may be used from; left out when from everywhere. */
  readonly loginAddresses?: string
  /** What a person with a session may do in the console; left out for whoever administers nothing, and for programs. */
  readonly standing?: Standing
}

declare module '../../kernel/principal.ts' {
  interface AccountFields {
    readonly account: Account
  }
  interface UserPrincipal {
    /** '' for a grant or ticket that no session made. */
    readonly sessionId: string
  }
  interface ClientPrincipal {
    /** The session the client was started from. */
    readonly sessionId: string
  }
  interface ApiTokenPrincipal {
    readonly apiTokenId: string
  }
  interface JobPrincipal {
    readonly jobId: string
  }
}

/** @throws AppError PERMISSION_DENIED for guests and reviewers, who have none */
export function accountOf(principal: Principal): Account {
  if (principal.kind === 'guest' || principal.kind === 'reviewer') throw new AppError('PERMISSION_DENIED')
  return principal.account
}

/** The session behind a principal; '' without one, as for API tokens and jobs. */
export function sessionIdOf(principal: Principal): string {
  return principal.kind === 'user' || principal.kind === 'client' ? principal.sessionId : ''
}

/** @throws AppError TOKEN_INVALID for callers without an account */
export function requireAccount({ principal }: Pick<Ctx, 'principal'>): AccountPrincipal {
  if (principal === undefined || principal.kind === 'guest' || principal.kind === 'reviewer') {
    throw new AppError('TOKEN_INVALID')
  }
  return principal
}

/** Whether whoever calls from this address may act by it; guests are bound by nothing of an account. */
export function isAdmittedFrom(principal: Principal, address: string): boolean {
  if (principal.kind === 'guest' || principal.kind === 'reviewer') return true
  return coversAddress(principal.account.loginAddresses ?? '', address)
}
